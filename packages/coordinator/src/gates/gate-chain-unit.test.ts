import type { CommandRecord, CommandResult } from '@signalbox/core';
import { aCommandRecord, createMemoryLogger, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { GatedCall } from './gate.ts';
import { createGateChain } from './gate-chain.ts';
import { ALLOW, PASS, quickGate, REFUSE, scriptedGate } from './testing/scripted-gate.ts';

const CALL = {} as GatedCall;
const asked = (signal = new AbortController().signal) => ({ call: CALL, signal });

function chainOf(...gates: Parameters<typeof createGateChain>[0]) {
  const logger = createMemoryLogger();
  return { chain: createGateChain(gates, logger), logger };
}

test('gates are in their fixed order, whatever the order in which they are given', () => {
  const [utility, adversarial] = [quickGate(), scriptedGate()];
  for (const gates of [
    [utility, adversarial],
    [adversarial, utility],
  ])
    expect(chainOf(...gates).chain.of(CALL)).toEqual([utility, adversarial]);
  expect(chainOf(utility, scriptedGate(undefined, { applies: () => false })).chain.of(CALL)).toEqual([
    utility,
  ]);
});

test('each decision and note is kept up to the gate that refuses', async () => {
  const note = { kind: 'note', decision: ALLOW, note: 'Look twice' } as const;
  const last = scriptedGate();
  const gates = [scriptedGate(() => note), scriptedGate(() => REFUSE), last];
  const { chain } = chainOf();
  expect(await chain.ask(gates, asked())).toMatchObject({
    decisions: [{ decision: 'allow' }, { decision: 'deny' }],
    notes: ['Look twice'],
    failure: { code: 'judged-denied' },
  });
  expect(last.asked).toEqual([]);
  expect(await chain.ask([scriptedGate(() => PASS)], asked())).toEqual({ decisions: [ALLOW], notes: [] });
});

test('a gate that throws refuses by its own code, names itself, and its error is logged', async () => {
  const { chain, logger } = chainOf();
  const error = new Error('broken');
  const gate = scriptedGate(() => Promise.reject(error));
  expect(await chain.ask([gate], asked())).toEqual({
    decisions: [],
    notes: [],
    failure: {
      ...gate.failure,
      message: 'Not run: the adversarial gate failed inside Signalbox',
      visibility: 'visible',
    },
  });
  expect(logger.lines).toMatchObject([{ level: 'error', facts: { gate: 'adversarial', error } }]);
});

test('of a cancelled call no error is logged, and it is refused all the same', async () => {
  const { chain, logger } = chainOf();
  const gate = scriptedGate(() => Promise.reject(new Error('aborted')));
  expect((await chain.ask([gate], asked(AbortSignal.abort()))).failure?.code).toBe('judge_unavailable');
  expect(logger.lines).toEqual([]);
});

test('a stored decision is looked up by its gate, and a call that was never classified has none', () => {
  const counted: unknown[] = [];
  const countsAs = (counts: boolean) => ({
    stillCounts: (decision: unknown) => (counted.push(decision), counts),
  });
  const utility = { ...quickGate(), ...countsAs(true) };
  const { chain } = chainOf(utility, scriptedGate(undefined, countsAs(false)));
  const judged = {
    callHash: 'h',
    verdict: { effects: [] },
    gates: [ALLOW],
  } as unknown as Partial<CommandRecord>;
  expect(chain.outdated(aCommandRecord(judged))).toBe('adversarial');
  expect(counted).toEqual([undefined, ALLOW]);
  expect(chain.outdated(aCommandRecord())).toBeUndefined();
});

test('every gate that listens hears of an ended command', () => {
  const heard: unknown[] = [];
  const listens = { noteEnded: (...told: unknown[]) => void heard.push(told) };
  const { chain } = chainOf({ ...quickGate(), ...listens }, scriptedGate(), {
    ...scriptedGate(),
    ...listens,
  });
  const record = ended(aCommandRecord());
  const result = record.result as CommandResult;
  chain.noteEnded(record, result);
  expect(heard).toEqual([
    [record, result],
    [record, result],
  ]);
});
