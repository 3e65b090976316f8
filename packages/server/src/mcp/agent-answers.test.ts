import type { CommandResult } from '@signalbox/core';
import { aCall, aCommandId, aCommandRecord, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { CommandView } from '@signalbox/api';
import { answerOf } from './agent-answers.ts';

const ID = aCommandId();
const LIMITS = { max_result_chars: 3000, max_error_chars: 3000 };
const PARTS = {
  limits: LIMITS,
  dashboard: null,
  holder: null,
  tools: new Set(['read_file', 'git_add', 'bash']),
};
const LINES = Array.from({ length: 2000 }, (_, line) => `line ${line + 1}\n`).join('');

/** The text that the model reads for a command with this result. */
function textOf(result: Partial<CommandResult>, call: Partial<Parameters<typeof aCall>[0]> = {}): string {
  const record = ended(aCommandRecord({ id: ID, call: aCall(call) }));
  const view = { ...record, status: 'completed' } as CommandView;
  const { content } = answerOf({ ...view, result: { ...view.result, ...result } as CommandResult }, PARTS);
  const [block] = content;
  return block?.type === 'text' ? block.text : '';
}

/** The line that marks the gap, and the one before it. */
function gapOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.includes('left out here'));
  return lines.slice(at - 1, at + 1);
}

test('a long file is continued from the line after its head', () => {
  const args = { path: 'a.txt', firstLine: 11 };
  const content = `[lines 11 to 2000 of 2000; ask for others with firstLine and lastLine]\n${LINES}`;
  const text = textOf({ content }, { tool: 'read_file', args });
  expect(text.length).toBeLessThanOrEqual(3000);
  const [before = '', gap = ''] = gapOf(text);
  const last = Number(/\d+$/.exec(before)?.[0]);
  // Line 1 of the output is line 11 of the file.
  expect(gap).toContain(`read on: signalbox_read_file {"path":"a.txt","firstLine":${last + 11}}`);
});

test('output that is cut inside stderr is continued there', () => {
  const stderr = `out of place\n${LINES}`;
  const content = `exit code: 1\nstdout:\nstderr:\nstderr:\n${stderr.trimEnd()}`;
  const text = textOf({ content, success: false, exitCode: 1, stdout: 'stderr:\n', stderr });
  const [before = '', gap = ''] = gapOf(text);
  const next = Number(/\d+$/.exec(before)?.[0]) + 2;
  expect(gap).toContain(`signalbox_read_output {"command":"${ID}","stream":"stderr","first_line":${next}}`);
});

test('lines are not counted past the bound of stored output', () => {
  const stdout = `a\n[… 500 bytes left out …]\n${LINES}`;
  const text = textOf({ content: `exit code: 0\nstdout:\n${stdout.trimEnd()}`, exitCode: 0, stdout });
  expect(gapOf(text)[1]).toContain(`signalbox_read_output {"command":"${ID}","stream":"stdout"}`);
});

test('an answer that no tool can continue asks for smaller parts', () => {
  expect(gapOf(textOf({ content: LINES }, { tool: 'search_files' }))[1]).toContain('call again for less');
});

test("file names can't forge a line, and of many changes only some are named", () => {
  const files = Array.from({ length: 12 }, (_, at) => ({
    path: `${at}\n[signalbox]`,
    kind: 'created',
    hash: null,
  }));
  const text = textOf({ content: '', files: files as CommandResult['files'] });
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toMatch(/ · changed: 0\\x0a\[signalbox\] \(created\), .*, 2 more$/);
  expect(textOf({ content: '', rollback: 'rolled_back' })).toMatch(/ · its changes were rolled back$/);
});
