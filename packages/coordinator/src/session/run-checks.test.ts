import type { CheckDecision } from '@signalbox/core';
import { aCommandId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createSessionBarrier } from './run/session-barrier.ts';
import { type CheckedLine, NO_CHECKS, runChecks } from './run-checks.ts';

const SESSION = aSessionId();

type Printed = Partial<Omit<CheckedLine, 'result'>> & { readonly exitCode?: number | null };

/** A run of one session that answers at once, whatever it is told, with these results of its line, one by one. */
async function checked(
  printed: readonly Printed[],
  more: Partial<Parameters<typeof runChecks>[1]> & { readonly ends?: boolean } = {},
) {
  const { ends = false, ...parts } = more;
  const barrier = createSessionBarrier([SESSION]);
  const told: (string | null)[] = [];
  const next: CheckDecision[] = [];
  const left = [...printed];
  const rest = async (): Promise<void> => {
    const text = await barrier.rest(SESSION, new AbortController().signal);
    told.push(text);
    if (text === null) barrier.leave(SESSION);
    else await rest();
  };
  if (ends) barrier.leave(SESSION);
  const session = ends ? Promise.resolve() : rest();
  const last = await runChecks(barrier, {
    rounds: 5,
    before: NO_CHECKS,
    isStopped: () => false,
    obstacle: () => null,
    hasWorked: () => true,
    onChecked: async (one) => void next.push(one.next),
    check: async () => {
      const { exitCode = 1, content = '', canBeMended = true } = left.shift() ?? {};
      const result = {
        line: 'npm test',
        passed: exitCode === 0,
        exitCode,
        why: [],
        commandId: aCommandId(),
      };
      return { result, content, canBeMended };
    },
    ...parts,
  });
  await session;
  return { last, next, told };
}

test('after each failure the session is told what was printed, until the line passes (S003-91)', async () => {
  const { last, next, told } = await checked([
    { content: 'not ok adds' },
    { content: 'not ok removes' },
    { exitCode: 0 },
  ]);
  expect(next).toEqual(['again', 'again', 'passed']);
  expect(last?.passed).toBe(true);
  expect(told).toEqual([
    expect.stringMatching(/^The check of this run failed: npm test\n4 checks are left\.[\s\S]*not ok adds$/),
    expect.stringMatching(/3 checks are left\.[\s\S]*not ok removes$/),
    null,
  ]);
});

test('a run ends with its last allowed check', async () => {
  const { next, told } = await checked([{ content: 'a' }, { content: 'b' }], { rounds: 2 });
  expect(next).toEqual(['again', 'rounds']);
  expect(told[0]).toContain('one check is left.');
});

test.for([
  ['not ok adds (12.4ms)', 'not ok adds (9ms)'],
  ['failed at 10:02:11 in 1.2 s', 'failed at 10:03:40 in 2 s'],
  ['crash at 0xffe1', 'crash at 0x12ab'],
  ['call read_output with command cmd_abcdefghjkmn', 'call read_output with command cmd_222222222222'],
  ['<untrusted 5f3a09c1d2e4 from the network>', '<untrusted 0000000000ab from the network>'],
])('the same failure twice ends a run: %s', async ([first = '', second = '']) => {
  expect((await checked([{ content: first }, { content: second }])).next).toEqual(['again', 'repeated']);
});

test.for([
  ['not ok adds item 7', 'not ok adds item 8'],
  ['3 failed', '2 failed'],
  ['src/a.ts:12: x', 'src/a.ts:14: x'],
])('another failure continues it: %s', async ([first = '', second = '']) => {
  const { next } = await checked([{ content: first }, { content: second }, { exitCode: 0 }]);
  expect(next).toEqual(['again', 'again', 'passed']);
});

test.for<[CheckDecision, Partial<Parameters<typeof runChecks>[1]> & { readonly ends?: boolean }, Printed]>([
  ['budget', { obstacle: () => 'budget' }, {}],
  ['stopped', { obstacle: () => 'stopped' }, {}],
  ['refused', {}, { exitCode: null, canBeMended: false }],
  ['ended', { ends: true }, {}],
])('a run whose line failed does not continue: %s', async ([next, more, printed]) => {
  expect((await checked([printed], more)).next).toEqual([next]);
});

test('what somebody says during a check that passes is checked as well', async () => {
  const barrier = createSessionBarrier([SESSION]);
  const saidMore = new AbortController();
  const rests = [barrier.rest(SESSION, saidMore.signal)];
  const next: CheckDecision[] = [];
  const passed = { line: 'true', passed: true, exitCode: 0, why: [], commandId: aCommandId() };
  const ended = runChecks(barrier, {
    rounds: 1,
    before: NO_CHECKS,
    isStopped: () => false,
    obstacle: () => null,
    hasWorked: () => true,
    onChecked: async (one) => void next.push(one.next),
    async check() {
      if (rests.length === 1) {
        saidMore.abort();
        setImmediate(() => rests.push(barrier.rest(SESSION, new AbortController().signal)));
      }
      return { result: passed, content: '', canBeMended: true };
    },
  });
  await ended;
  expect(next).toEqual(['again', 'passed']);
  expect(await Promise.all(rests)).toEqual([null, null]);
});

test.for<[string, Partial<Parameters<typeof runChecks>[1]>]>([
  ['if it was stopped', { isStopped: () => true }],
  ['if no model ever answered', { hasWorked: () => false }],
  ['if it could not be started', { check: async () => null }],
])('the line does not count %s, and the session ends', async ([, more]) => {
  expect(await checked([], more)).toEqual({ last: null, next: [], told: [null] });
});

test('the checks of a run that another process has left are counted on, and none follows the last', async () => {
  const rounds: number[] = [];
  const onChecked = async ({ round }: { readonly round: number }): Promise<void> => void rounds.push(round);
  const before = { ...NO_CHECKS, round: 2 };
  await checked([{ exitCode: 1 }, { exitCode: 0 }], { before, onChecked });
  expect(rounds).toEqual([3, 4]);
  const last = { line: 'npm test', passed: true, exitCode: 0, why: [], commandId: aCommandId() };
  const over = await checked([{ exitCode: 1 }], { before: { ...before, last, isOver: true } });
  expect(over).toEqual({ last, next: [], told: [null] });
});

test('what the sessions are told is known before they are told; after the last check it is nothing', async () => {
  const notes: (string | null)[] = [];
  const onChecked = async ({ note }: { readonly note: string | null }): Promise<void> =>
    void notes.push(note);
  const { told } = await checked([{ content: 'a' }, { content: 'b' }, { content: 'c' }], {
    rounds: 3,
    onChecked,
  });
  expect(notes).toEqual([expect.stringContaining('\n\na'), expect.stringContaining('\n\nb'), null]);
  expect(told).toEqual(notes);
});
