import type { CommandResult, CommandState } from '@signalbox/core';
import { aCall, aCommandRecord } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  after,
  at,
  ben,
  by,
  type EventName,
  EVENTS,
  NAMES,
  OTHER_HASH,
  pending,
  TO_RUNNING,
} from '../testing/machine-events.ts';
import { advance, type CommandSnapshot, restore, stateName } from './advance.ts';

const recordOf = (...names: readonly EventName[]): CommandSnapshot['context']['record'] =>
  after(...names).context.record;

test('in any sequence of events a result is given exactly when the command is done, and never changes', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...NAMES), { maxLength: 60 }), (names) => {
      let snapshot = restore(aCommandRecord());
      let given: CommandResult | null = null;
      for (const name of names) {
        const next = advance(snapshot, EVENTS[name]);
        if (next === null) continue;
        const { record } = next.snapshot.context;
        expect(record.result !== null).toBe(record.state === 'done');
        expect(given ?? record.result).toBe(record.result);
        given = record.result;
        expect(record.state === 'running' && record.lease === null).toBe(false);
        expect(record.startedAt !== null && record.approvedAt === null).toBe(false);
        snapshot = next.snapshot;
      }
    }),
  );
});

test('a stored record of any state is a snapshot, and records of an earlier version open', () => {
  const states: readonly CommandState[] = ['awaiting_approval', 'approved', 'queued', 'running', 'done'];
  expect(states.map((state) => stateName(restore(aCommandRecord({ state }))))).toEqual([
    'awaiting_approval',
    'approved.idle',
    'queued.restored',
    'running.orphaned',
    'done',
  ]);
});

test('a person’s answer is stored with who gave it and to which call', () => {
  expect(recordOf('classified', 'needed', 'asked', 'granted').approval).toEqual({
    ...pending,
    status: 'granted',
    grants: [{ by, at }],
    by,
    answeredAt: at,
  });
});

test('if two must agree both are stored, and the second one granted it', () => {
  expect(recordOf('classified', 'needed', 'asked', 'counted', 'granted').approval).toMatchObject({
    status: 'granted',
    by,
    grants: [{ by: ben }, { by }],
  });
});

test('an approval that is requested again drops every approval of the earlier request', () => {
  const once = ['classified', 'needed', 'asked', 'counted'] as const;
  expect(recordOf(...once, 'needed', 'asked').approval).toMatchObject({ grants: [] });
  expect(recordOf(...once, 'changed').approval).toMatchObject({ grants: [] });
});

test('an approval resolved by a new policy can’t be answered any more', () => {
  const record = recordOf('classified', 'needed', 'asked', 'allowed');
  expect(record).toMatchObject({ state: 'approved', approval: null });
});

test('a changed call replaces the original one, which stays on record', () => {
  const record = recordOf('classified', 'needed', 'asked', 'changed', 'granted');
  expect(record.call.args).toEqual({ text: 'less' });
  expect(record.approval).toMatchObject({ status: 'granted', callHash: OTHER_HASH, modifiedFrom: aCall() });
});

test('a command that must ask again after its wait is not approved until it is answered', () => {
  const record = recordOf('classified', 'allowed', 'entered', 'leased', 'needed', 'asked');
  expect(record).toMatchObject({ state: 'awaiting_approval', approvedAt: null, approval: pending });
});

test('an interruption while it waits for other claims ends that wait, never the command', () => {
  expect(stateName(after(...TO_RUNNING, 'wanted', 'cancel'))).toBe('running.claiming');
  expect(stateName(after(...TO_RUNNING, 'wanted', 'cancel', 'dropped', 'dead', 'ran', 'audited'))).toBe(
    'done',
  );
});

test('a transaction whose claims are held by others waits in the queue, and stores them before it continues', () => {
  const waiting = after(...TO_RUNNING, 'wanted', 'released', 'entered');
  expect(stateName(waiting)).toBe('running.claiming');
  const turn = advance(waiting, EVENTS.leased);
  expect(turn?.actions.map(({ type }) => type)).toEqual(['keepLease']);
  const names = [...TO_RUNNING, 'wanted', 'released', 'entered', 'leased', 'exchanged'] as const;
  expect(stateName(after(...names))).toBe('running.working');
});
