import { type Failure, formatForLlm } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { inAgentsNames } from './agents-names.ts';

const ID = aCommandId();
const TOOLS = new Set(['bash', 'read_file', 'git_add', 'list_directory']);

function reported(failure: Partial<Failure>, { tool = 'read_file', printed = '' } = {}): string {
  const whole: Failure = {
    code: 'x',
    category: 'InvalidParameters',
    message: 'Cannot do it',
    visibility: 'visible',
    ...failure,
  };
  const content = `${formatForLlm(whole, ID)}${printed}`;
  return inAgentsNames({ failure: whole, content, commandId: ID, tool }, TOOLS);
}

test('our own text names tools as the agent calls them, and nothing else is changed', () => {
  expect(
    reported({
      message: 'Cannot run git_add: no',
      suggestion: 'Call read_file, or look with list_directory',
    }),
  ).toContain(
    'message: Cannot run signalbox_git_add: no\nsuggestion: Call signalbox_read_file, or look with signalbox_list_directory\n',
  );
  expect(
    reported({ message: 'Cannot run bash: blocked', suggestion: 'Run bash x.sh yourself, or call bash' }),
  ).toContain(
    'message: Cannot run signalbox_bash: blocked\nsuggestion: Run bash x.sh yourself, or call signalbox_bash\n',
  );
  expect(reported({ message: 'bash has no argument "x"' })).toContain(
    'message: signalbox_bash has no argument "x"',
  );
  const kept =
    'Cannot read "read_file": src/read_file.ts, read_file.ts, `git_add` and my_read_file are other things';
  expect(reported({ message: kept })).toContain(`message: ${kept}\n`);
  const printed = '\n\nexit code: 1\nstdout:\nread_file\nmessage: Cannot run git_add: x';
  expect(reported({ message: 'Cannot run git_add: x' }, { printed })).toMatch(new RegExp(`${printed}$`));
});

test('a call of an unknown tool names the tool that was probably meant, including the waiting one', () => {
  const none = (tool: string, meant?: string): string => {
    const guess = meant === undefined ? '' : `; did you mean "${meant}"?`;
    const suggestion =
      meant === undefined ? 'Call one of: bash, read_file' : `Call ${meant}, or another of: bash, read_file`;
    const text = reported(
      { category: 'ToolNotFound', message: `Unknown tool "${tool}"${guess}`, suggestion },
      { tool },
    );
    return text.split('\n').slice(2, 4).join('\n');
  };
  expect(none('reed_file', 'read_file')).toBe(
    'message: Unknown tool "reed_file"; did you mean "signalbox_read_file"?\n' +
      'suggestion: Call signalbox_read_file, or another of: signalbox_bash, signalbox_read_file, signalbox_wait',
  );
  for (const tool of [
    'waitt',
    'wiat',
    'Wait',
    'wait_for',
    'mcp__signalbox__wait',
    'wait-for-command',
    'await',
  ])
    expect(none(tool)).toBe(
      `message: Unknown tool "${tool}"; did you mean "signalbox_wait"?\n` +
        'suggestion: Call signalbox_wait, or another of: signalbox_bash, signalbox_read_file, signalbox_wait',
    );
  expect(none('frobnicate')).toBe(
    'message: Unknown tool "frobnicate"\nsuggestion: Call one of: signalbox_bash, signalbox_read_file, signalbox_wait',
  );
});

test('truncated output says how to read on with a tool that the agent has', () => {
  const content = `exit code: 0\ntruncated: true (the middle of stdout was left out; call read_output with command ${ID}, stream stdout)`;
  expect(inAgentsNames({ failure: null, content, commandId: ID, tool: 'bash' }, TOOLS)).toContain(
    `call signalbox_read_output with command ${ID}`,
  );
});
