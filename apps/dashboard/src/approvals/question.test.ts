import { expect, test } from 'vitest';
import type { CommandView, WaitingApproval } from '@signalbox/api';
import { callSubject, type CallSubject } from '@signalbox/core/call-subject';
import { changeableText, changedArgs, verbOf, titleOf } from './question.ts';

function waiting(tool: string, args: Record<string, string | boolean>) {
  const command = { call: { callId: 'c', tool, args }, context: { provider: 'openai' } };
  return { command: command as unknown as CommandView } satisfies WaitingApproval;
}

function subjectOf({ command }: WaitingApproval): CallSubject {
  return callSubject(command);
}

test('until a call’s effects are known, its title names its kind', () => {
  const titles = [
    waiting('bash', { line: 'ls' }),
    waiting('write_file', { path: 'a.ts', content: 'x' }),
    waiting('edit_file', { path: 'a.ts', oldText: 'x', newText: '$&' }),
    waiting('delete_file', { path: 'a.ts' }),
  ].map((asked) => titleOf(subjectOf(asked)));
  expect(titles).toEqual(['Run a shell line', 'Write a.ts', 'Edit a.ts', 'Call delete_file']);
});

test('a line or a whole text can be edited, an edit can’t', () => {
  const line = waiting('bash', { line: 'npm publish', cwd: '.' });
  const subject = subjectOf(line);
  expect(changeableText(subject)).toBe('npm publish');
  expect(changedArgs(subject, 'npm pack', line.command.call.args)).toEqual({ line: 'npm pack', cwd: '.' });
  expect(
    changeableText(subjectOf(waiting('edit_file', { path: 'a', oldText: 'x', newText: 'y' }))),
  ).toBeNull();
});

test('the second press says what it does', () => {
  const deeds = ['npm publish --tag next', 'git push --force', 'rm -rf dist', 'make all'].map((line) =>
    verbOf({ kind: 'line', line, cwd: null }),
  );
  expect(deeds).toEqual(['publish', 'push', 'delete', 'run it']);
});

test('a foreign tool is described by its kind, and its arguments can’t be edited as if they were a line (R-A3)', () => {
  const origin = { server: 'evil', tool: 'run', confinement: 'no sandbox', isConfined: false };
  const asked = waiting('mcp__evil__run', { line: 'npm test', action: 'drop' });
  const subject = callSubject({ ...asked.command, origin });
  expect(subject).toEqual({
    kind: 'foreign',
    origin,
    args: [
      { name: 'line', value: 'npm test' },
      { name: 'action', value: 'drop' },
    ],
  });
  expect([titleOf(subject), changeableText(subject), verbOf(subject)]).toEqual([
    'Call run of the MCP server evil',
    null,
    'call it',
  ]);
});
