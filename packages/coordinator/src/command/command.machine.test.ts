import type { CommandRecord, CommandResult, Ruling, Verdict } from '@signalbox/core';
import { CallHash, CommandState, FencingToken } from '@signalbox/core';
import { aCall, aCommandRecord, aLeaseId, aProviderId, ended, SOME_TIME } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { advance, type CommandEvent, type Judged } from './command.machine.ts';

const HASH = CallHash.parse('a'.repeat(64));
const OTHER_HASH = CallHash.parse('b'.repeat(64));
const VERDICT: Verdict = {
  level: 'warning',
  reasons: [{ level: 'warning', code: 'writes', text: 'writes a file' }],
  effects: [],
  runsRepositoryCode: false,
  composed: false,
};
const ALLOW: Ruling = { kind: 'allow', rule: 'r', source: 'built in', reason: 'fine' };
const ASK: Ruling = {
  kind: 'ask',
  rule: 'r',
  source: 'built in',
  reason: 'a person must know',
  approvers: 1,
};
const judged: Judged = {
  call: aCall(),
  callHash: HASH,
  title: 'echo hello',
  verdict: VERDICT,
  mode: 'ALERT',
  claims: [],
};
const pending = {
  status: 'pending',
  callHash: HASH,
  requestedAt: SOME_TIME,
  expiresAt: SOME_TIME + 1000,
  approvers: 1,
  grants: [],
  base: { files: [], unbound: [] },
  again: [],
} as const;
const by = { name: 'ana', channel: 'test' } as const;

function resultOf(record: CommandRecord): CommandResult {
  const { result } = ended(record);
  if (result === null) throw new Error('no result');
  return result;
}

const result = resultOf(aCommandRecord());
const lease = {
  leaseId: aLeaseId(),
  commandId: aCommandRecord().id,
  provider: aProviderId(),
  claims: [],
  fencingToken: FencingToken.parse(7),
  grantedAt: SOME_TIME,
  expiresAt: SOME_TIME + 30_000,
};

const EVENTS = {
  classified: { type: 'call.classified', judged },
  allowed: { type: 'ruling.allowed', ruling: ALLOW, at: SOME_TIME },
  asked: { type: 'ruling.asked', ruling: ASK, callHash: HASH, approval: pending },
  counted: { type: 'approval.counted', at: SOME_TIME + 5, by: { name: 'ben', channel: 'test' } },
  changed: {
    type: 'call.changed',
    judged: { ...judged, call: aCall({ args: { text: 'less' } }), callHash: OTHER_HASH },
    ruling: ASK,
    approval: { ...pending, callHash: OTHER_HASH },
  },
  granted: { type: 'approval.granted', at: SOME_TIME + 5, by },
  queued: { type: 'command.queued', at: SOME_TIME + 6 },
  leased: { type: 'lease.granted', lease, at: SOME_TIME + 7 },
  over: { type: 'command.ended', result },
  ran: { type: 'execution.ended', result },
  orphaned: { type: 'execution.orphaned', result },
} as const satisfies Record<string, CommandEvent>;

type EventName = keyof typeof EVENTS;

/** What may follow what, written down a second time. */
const ALLOWED: Readonly<Record<CommandState, Partial<Record<EventName, CommandState>>>> = {
  submitted: { classified: 'classified', over: 'done' },
  classified: { allowed: 'approved', asked: 'awaiting_approval', over: 'done' },
  awaiting_approval: {
    granted: 'approved',
    counted: 'awaiting_approval',
    changed: 'awaiting_approval',
    asked: 'awaiting_approval',
    allowed: 'approved',
    over: 'done',
  },
  approved: { queued: 'queued', over: 'done' },
  queued: { leased: 'running', asked: 'awaiting_approval', over: 'done' },
  running: { ran: 'done', orphaned: 'done' },
  done: {},
};

function after(...names: EventName[]): CommandRecord {
  return names.reduce<CommandRecord>((record, name) => {
    const next = advance(record, EVENTS[name]);
    if (next === null) throw new Error(`${name} may not happen in ${record.state}`);
    return next;
  }, aCommandRecord());
}

test('every event leads where the drawing says from every state, and nowhere else', () => {
  for (const state of CommandState.options) {
    for (const name of Object.keys(EVENTS) as EventName[]) {
      const record = aCommandRecord({ state, approval: pending });
      expect([state, name, advance(record, EVENTS[name])?.state]).toEqual([
        state,
        name,
        ALLOWED[state][name],
      ]);
    }
  }
});

test('a running command is not ended by anything but the end of its process', () => {
  const running = after('classified', 'allowed', 'queued', 'leased');
  expect(advance(running, EVENTS.over)).toBeNull();
  expect(advance(running, EVENTS.ran)?.state).toBe('done');
});

test('in any sequence of events a result is given exactly when the command is done, and never changed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...(Object.keys(EVENTS) as EventName[])), { maxLength: 30 }),
      (names) => {
        let record = aCommandRecord();
        for (const name of names) {
          const next = advance(record, EVENTS[name]);
          expect(record.state === 'done' && next !== null).toBe(false);
          record = next ?? record;
          expect(record.result !== null).toBe(record.state === 'done');
          expect(record.state === 'running' && record.lease === null).toBe(false);
          expect(record.startedAt !== null && record.approvedAt === null).toBe(false);
        }
      },
    ),
  );
});

test('a person’s answer is kept with who gave it and to which call', () => {
  expect(after('classified', 'asked', 'granted').approval).toEqual({
    ...pending,
    status: 'granted',
    grants: [{ by, at: SOME_TIME + 5 }],
    by,
    answeredAt: SOME_TIME + 5,
  });
});

test('where two must agree both are kept, and the second is who granted it', () => {
  const ben = { name: 'ben', channel: 'test' };
  expect(after('classified', 'asked', 'counted', 'granted').approval).toMatchObject({
    status: 'granted',
    by,
    grants: [{ by: ben }, { by }],
  });
});

test('a question that is put anew forgets who had said yes to the one before', () => {
  expect(after('classified', 'asked', 'counted', 'asked').approval).toMatchObject({ grants: [] });
  expect(after('classified', 'asked', 'counted', 'changed').approval).toMatchObject({ grants: [] });
});

test('a question that a new policy answers is nobody’s to answer any more', () => {
  expect(after('classified', 'asked', 'allowed')).toMatchObject({ state: 'approved', approval: null });
});

test('a changed call replaces the one that was asked, which stays on record', () => {
  const record = after('classified', 'asked', 'changed', 'granted');
  expect(record.call.args).toEqual({ text: 'less' });
  expect(record.approval).toMatchObject({ status: 'granted', callHash: OTHER_HASH, modifiedFrom: aCall() });
  expect(after('classified', 'asked', 'changed', 'changed').approval).toMatchObject({
    modifiedFrom: aCall(),
  });
});

test('a command that must ask again after its wait is approved by nobody until it is answered', () => {
  const record = after('classified', 'allowed', 'queued', 'asked');
  expect(record).toMatchObject({ state: 'awaiting_approval', approvedAt: null, approval: pending });
});
