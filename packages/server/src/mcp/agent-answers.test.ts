import { type CommandResult, UnavailableError, UsageError } from '@signalbox/core';
import { aCall, aCommandId, aCommandRecord, aFailure, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { CommandView } from '@signalbox/api';
import { answerOf, notSent, sentButUnreadable } from './agent-answers.ts';

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

test('a filtered output that is cut is read on from its start, since its lines are not those of the output', () => {
  const filtered = {
    filter: 'plain',
    confidence: 'full',
    keptLines: 2000,
    lines: 2900,
    keptTokens: 9000,
    savedTokens: 900,
  } as const;
  const content = `exit code: 1\nstderr:\n${LINES}`;
  const gap = gapOf(textOf({ content, filtered, exitCode: 1, stdout: 'a\n', stderr: `x\n`.repeat(900) }))[1];
  expect(gap).toContain(`read on: signalbox_read_output {"command":"${ID}","stream":"stderr"}`);
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

/** The whole answer for a command with this result. */
function answer(
  result: Partial<CommandResult> | null,
  more: Partial<CommandView> = {},
  parts: Partial<typeof PARTS> = {},
) {
  const record = ended(aCommandRecord({ id: ID }));
  const whole = result === null ? null : ({ ...record.result, ...result } as CommandResult);
  return answerOf(
    { ...record, status: 'completed', ...more, result: whole },
    {
      ...PARTS,
      ...parts,
    },
  );
}

const textsOf = ({ content }: ReturnType<typeof answer>): readonly string[] =>
  content.map((block) => (block.type === 'text' ? block.text : ''));

test('a result is one text with its facts in the first and the last line, and for programs beside it', () => {
  const files: CommandResult['files'] = [
    { path: 'a.ts', kind: 'modified', hash: null },
    { path: 'b.ts', kind: 'read', hash: null },
  ];
  const answered = answer({ content: 'hello', exitCode: 0, files });
  expect(answered).toEqual({
    isError: false,
    content: [
      {
        type: 'text',
        text:
          `[signalbox] command ${ID} · completed · exit code 0\nhello\n` +
          `[signalbox] end of command ${ID} · completed · exit code 0 · changed: a.ts (modified)`,
      },
    ],
    _meta: {
      'signalbox/command': {
        id: ID,
        status: 'completed',
        outcome: 'completed',
        exit_code: 0,
        files: [
          { path: 'a.ts', kind: 'modified' },
          { path: 'b.ts', kind: 'read' },
        ],
      },
    },
  });
  const bare = `[signalbox] command ${ID} · completed\n`;
  expect(textsOf(answer({ content: 'line\n' }))[0]).toBe(
    `${bare}line\n[signalbox] end of command ${ID} · completed`,
  );
  expect(textsOf(answer({ content: '' }))[0]).toBe(`${bare}[signalbox] end of command ${ID} · completed`);
});

test('a failure is marked as an error, says how it ended, and whether its changes were kept', () => {
  const failed = {
    success: false,
    outcome: { kind: 'timed_out', failure: aFailure() },
    content: 'late',
  } as const;
  const answered = answer({ ...failed, rollback: 'rollback_failed' });
  expect(answered.isError).toBe(true);
  expect(textsOf(answered)).toEqual([
    `[signalbox] command ${ID} · timed out\nlate\n` +
      `[signalbox] end of command ${ID} · timed out · its changes were kept in part`,
  ]);
});

test('our notes are separate texts of one line, and count against the limit', () => {
  const notes = ['two\nlines', 'another'];
  const [, ...others] = textsOf(answer({ content: 'x', notes }));
  expect(others).toEqual([expect.stringMatching(/^\[signalbox\] two.+lines$/), '[signalbox] another']);
  expect(others.every((note) => !note.includes('\n'))).toBe(true);
  const length = (more: Partial<CommandResult>): number =>
    (textsOf(answer({ content: LINES, ...more }))[0] ?? '').length;
  expect(length({ notes: Array.from({ length: 5 }, () => 'n'.repeat(900)) })).toBeLessThan(length({}) - 700);
});

test('a failure shows more of its end, other output more of its beginning, within the limit of its kind', () => {
  const parts = { limits: { max_result_chars: 4000, max_error_chars: 2400 } };
  const share = (success: boolean): readonly number[] => {
    const [text = ''] = textsOf(answer({ content: LINES, success }, {}, parts));
    const at = text.indexOf('[signalbox] ', 1);
    return [text.length, at / text.length];
  };
  const [whole = 0, head = 0] = share(true);
  expect(whole).toBeGreaterThan(3000);
  expect(whole).toBeLessThanOrEqual(4000);
  expect(head).toBeGreaterThan(0.5);
  const [failed = 0, failedHead = 0] = share(false);
  expect(failed).toBeLessThanOrEqual(2400);
  expect(failedHead).toBeLessThan(0.5);
});

test('an answer has no more lines than an agent passes on, and says how many are left out', () => {
  const content = 'x\n'.repeat(3000);
  const parts = { limits: { max_result_chars: 100_000, max_error_chars: 100_000 } };
  const [text = ''] = textsOf(answer({ content }, {}, parts));
  expect(text.split('\n').length).toBeLessThanOrEqual(1905);
  expect(text).toMatch(/\n\[signalbox\] 1\d{3} lines \(\d+ characters\) left out here · /);
});

test('of many changes ten are named', () => {
  const files = (count: number): CommandResult['files'] =>
    Array.from({ length: count }, (_, at) => ({ path: `${at}`, kind: 'created', hash: null }));
  const last = (count: number): string => textsOf(answer({ content: '', files: files(count) }))[0] ?? '';
  expect(last(10)).toMatch(/8 \(created\), 9 \(created\)$/);
  expect(last(11)).toMatch(/9 \(created\), 1 more$/);
});

test('a command without a result says what it waits for, and how to ask again instead of calling again', () => {
  const answered = answer(null, { status: 'queued', state: 'queued', title: 'npm\ntest' });
  const [text = ''] = textsOf(answered);
  const lines = text.split('\n');
  expect(answered.isError).toBeUndefined();
  expect(lines[0]).toMatch(new RegExp(`^\\[signalbox\\] command ${ID} · waiting · .+`));
  expect(lines[1]).toMatch(/^npm.+test$/);
  expect(lines.slice(-2)).toEqual([
    `Call signalbox_wait with {"command":"${ID}"}; do not repeat the call.`,
    `[signalbox] end of command ${ID} · waiting`,
  ]);
  expect(answered._meta).toEqual({
    'signalbox/command': { id: ID, status: 'waiting', outcome: null, exit_code: null, files: [] },
  });
});

test('a model never reads that nothing happened where a call was sent', () => {
  const error = new UnavailableError('no-answer', 'Cannot reach the coordinator', {
    why: ['it stopped'],
    next: ['serve'],
  });
  expect(sentButUnreadable(ID, error)).toEqual({
    isError: true,
    content: [
      {
        type: 'text',
        text: [
          `[signalbox] command ${ID} · unknown`,
          'Cannot reach the coordinator',
          'it stopped',
          `The call was sent. Call signalbox_wait with {"command":"${ID}"}; do not repeat the call.`,
          `[signalbox] end of command ${ID} · unknown`,
        ].join('\n'),
      },
    ],
  });
});

test.each([
  {
    what: 'a refusal',
    error: new UsageError('usage', 'Cannot do that', { why: ['because'], next: ['do this'] }),
    lines: ['nothing was done', 'Cannot do that', 'because', 'do this'],
  },
  {
    what: 'a server that is away, whose steps are for a person',
    error: new UnavailableError('closed', 'It stops', { next: ['signalbox serve'] }),
    lines: ['nothing was done', 'It stops', 'Try again a little later; tell your user if it persists.'],
  },
  {
    what: 'no answer',
    error: new UnavailableError('no-answer', 'Cannot reach it', {}),
    lines: [
      'it is unknown whether the call was sent: check before you repeat it',
      'Cannot reach it',
      'Try again a little later; tell your user if it persists.',
    ],
  },
  {
    what: 'a fault of our own, whose text is not for models',
    error: new Error('secret detail'),
    lines: ['nothing was done', 'Signalbox failed inside; try again later'],
  },
])('a call that became no command says so: $what', ({ error, lines: [first = '', ...others] }) => {
  expect(notSent(error)).toEqual({
    isError: true,
    content: [
      { type: 'text', text: [`[signalbox] ${first}`, ...others, `[signalbox] end · ${first}`].join('\n') },
    ],
  });
});
