import type { Message } from '@signalbox/core';
import { expect, test } from 'vitest';
import { CUT_NOTE } from '../own-notes.ts';
import type { RecordedCall } from '../recorded-call.ts';
import { tokensOf } from './context-size.ts';
import { compressed, planCompression } from './plan-compression.ts';

const TASK: readonly Message[] = [
  { role: 'system', text: 'You share a tree.' },
  { role: 'user', text: 'Merge a into b.' },
];
const RESULT = 'word '.repeat(200);

/** A turn with one call, what its result says, and what is said after it. */
function turn(
  name: string,
  { result = RESULT, said = [] }: { result?: string; said?: readonly string[] } = {},
) {
  return [
    { role: 'assistant', parts: [{ kind: 'call', call: { id: name, name: 'read_file', argsText: '{}' } }] },
    { role: 'tool', results: [{ callId: name, text: `${name} ${result}`, isError: false }] },
    ...said.map((text) => ({ role: 'user', text }) as const),
  ] as const satisfies readonly Message[];
}

const planOf = (
  turns: readonly (readonly Message[])[],
  { target = 1e6, calls = [] }: { target?: number; calls?: readonly RecordedCall[] } = {},
) => planCompression({ messages: [...TASK, ...turns.flat()], calls }, target);

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const FIVE = NAMES.map((name) => turn(name));
const tokensOfTurns = (count: number): number => tokensOf(FIVE.slice(-count).flat());

test('the last three turns stay, or all but the first; a single turn is not removed (S001-55)', () => {
  const counts = [0, 1, 2, 3, 4, 5].map((count) => {
    const plan = planOf(FIVE.slice(0, count));
    return plan === null ? null : [plan.removed.length, plan.kept.length];
  });
  expect(counts).toEqual([null, null, [1, 1], [1, 2], [1, 3], [2, 3]]);
});

test('fewer turns stay if they are larger than the target, and always the last one', () => {
  const kept = (target: number): number | undefined => planOf(FIVE, { target })?.kept.length;
  expect(
    [tokensOfTurns(3), tokensOfTurns(3) - 1, tokensOfTurns(2), tokensOfTurns(2) - 1, 0].map(kept),
  ).toEqual([3, 2, 2, 1, 1]);
});

test('what people and the system said in removed turns stays, and notes of Signalbox do not', () => {
  const turns = [turn('a', { said: ['Mind the tabs.', CUT_NOTE] }), ...FIVE.slice(1)];
  const system: Message = { role: 'system', text: CUT_NOTE };
  const plan = planOf([...turns.slice(0, 1), [system], ...turns.slice(1)]);
  expect(plan?.head).toEqual([...TASK, { role: 'user', text: 'Mind the tabs.' }, system]);
  expect(plan === null ? null : compressed(plan, 'Knowledge')).toEqual([
    ...(plan?.head ?? []),
    { role: 'user', text: 'Knowledge' },
    ...FIVE.slice(2).flat(),
  ]);
});

test('the last read of an edited file stays, if it takes no more than a quarter of the target, and 20,000 tokens', () => {
  const recorded = (callId: string, more: Partial<RecordedCall>): RecordedCall => ({
    callId,
    tool: 'read_file',
    argsText: '{}',
    commandId: null,
    success: true,
    content: '',
    ...more,
  });
  const calls = [recorded('a', { read: ['x.ts'] }), recorded('e', { changed: ['x.ts'] })];
  const reads = (target: number, turns: readonly (readonly Message[])[] = FIVE): number | undefined =>
    planOf(turns, { target, calls })?.reads.length;
  const size = tokensOf(FIVE[0] ?? []);
  expect([reads(size * 4), reads(size * 4 - 4)]).toEqual([1, 0]);
  const large = [turn('a', { result: 'word '.repeat(40_000) }), ...FIVE.slice(1)];
  expect(tokensOf(large[0] ?? [])).toBeGreaterThan(20_000);
  expect([reads(1e6), reads(1e6, large)]).toEqual([1, 0]);
});
