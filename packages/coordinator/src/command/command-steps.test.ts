import { aCall, aCommandRecord, aLeaseId } from '@signalbox/core/testing';
import { describe, expect, test } from 'vitest';
import { after, at, type EventName, EVENTS, TO_RUNNING, VERDICT } from '../testing/machine-events.ts';
import { params, read, restored, step, steps } from '../testing/machine-steps.ts';
import { advance, restore, stateName } from './advance.ts';

const LEASE = EVENTS.leased.lease;
const ASKED = ['classified', 'needed', 'asked'] as const;
const QUEUED = ['classified', 'allowed', 'entered'] as const;
const CHECKING = [...QUEUED, 'leased'] as const;

/** The paths to each state in which no process of the command exists. */
const UNSTARTED: Readonly<Record<string, readonly EventName[]>> = {
  submitted: [],
  'classified.ruling': ['classified'],
  asking: ['classified', 'needed'],
  awaiting_approval: ASKED,
  'approved.idle': ['closing', 'classified', 'allowed'],
  'approved.entering': ['classified', 'allowed'],
  'queued.waiting': QUEUED,
  'queued.checking': CHECKING,
  'queued.restored': [...CHECKING, 'closing'],
};

describe('a command that never ran', () => {
  test.each(Object.entries(UNSTARTED))('ends at once when it is %s, and is audited first', (state, path) => {
    expect(stateName(after(...path))).toBe(state);
    const expected = state === 'awaiting_approval' ? 'ending: stopWaiting audit' : 'ending: audit';
    for (const end of ['cancel', 'over', 'orphaned'] as const) expect(steps(...path, end)).toBe(expected);
  });

  test.each(Object.entries(UNSTARTED))('collapses when its runner fails while it is %s', (state, path) => {
    const expected =
      state === 'awaiting_approval' ? 'collapsing: stopWaiting settleFailure' : 'collapsing: settleFailure';
    expect(steps(...path, 'failed')).toBe(expected);
    expect(params(path, 'failed')).toMatchObject({ settleFailure: { cause: EVENTS.failed.cause } });
  });

  test.each(Object.entries(UNSTARTED))(
    'is left to another coordinator that leads it while it is %s',
    (state, path) => {
      const expected = 'releaseIfPossible forget awaitElsewhere';
      expect(steps(...path, 'taken')).toBe(
        state === 'awaiting_approval' ? `elsewhere: stopWaiting ${expected}` : `elsewhere: ${expected}`,
      );
      const holding = state.startsWith('queued.checking') || state === 'queued.restored';
      expect(params(path, 'taken')).toMatchObject({
        releaseIfPossible: { holding: holding ? { kind: 'lease', lease: LEASE } : { kind: 'nothing' } },
      });
    },
  );

  test('that can’t be judged ends with what it was called with, without secrets', () => {
    expect(steps('rejected')).toBe('ending: audit');
    expect(step([], 'rejected')?.snapshot.context.record).toMatchObject({ title: 't', call: { args: {} } });
  });
});

test('a new call is judged, and its note kept for the model', () => {
  expect(steps('received')).toBe('submitted: judge');
  expect(params([], 'received')).toEqual({ judge: { call: aCall() } });
  const noted = advance(restore(aCommandRecord()), { ...EVENTS.classified, note: 'again' });
  expect(noted?.snapshot.context).toMatchObject({ note: 'again', record: { verdict: VERDICT } });
});

describe('gates that ask a model', () => {
  const GATED = ['classified', 'gatesNeeded'] as const;

  test('are asked once the command is stored with its ruling', () => {
    expect(steps(...GATED)).toBe('classified.gated: store askGates');
    expect(step(['classified'], 'gatesNeeded')?.snapshot.context.record.ruling).toEqual(
      EVENTS.gatesNeeded.ruling,
    );
  });

  test('answer before the command continues, with decisions and notes kept', () => {
    expect(steps(...GATED, 'gatesPassed')).toBe('classified.ruling: stopGates proceed');
    expect(step(GATED, 'gatesPassed')?.snapshot.context).toMatchObject({
      note: 'slow',
      record: { gates: [{ gate: 'utility' }] },
    });
    expect(params(GATED, 'gatesPassed')).toMatchObject({ proceed: { failure: undefined } });
  });

  test('are no longer asked when it ends or fails', () => {
    for (const end of ['cancel', 'over', 'orphaned'] as const)
      expect(steps(...GATED, end)).toBe('ending: stopGates audit');
    expect(steps(...GATED, 'failed')).toBe('collapsing: stopGates settleFailure');
  });

  test('are asked again after a restart, and not while Signalbox stops', () => {
    expect(steps(...GATED, 'closing')).toBe('classified.ruling: stopGates');
    expect(steps(...GATED, 'closing', 'gatesPassed')).toBe('impossible');
    expect(steps('closing', ...GATED)).toBe('classified.ruling: store');
    expect(restored('classified', ['resumed'])).toBe('classified.gated: askGates');
    expect(restored('classified', ['closing', 'resumed'])).toBe('impossible');
  });
});

describe('a result is given', () => {
  test('when it is audited and stored, and the claims are released', () => {
    expect(steps('over', 'audited')).toBe('done: store releaseIfPossible forget answer');
    expect(step(['over'], 'audited')?.snapshot.context.record.result).toBe(EVENTS.audited.result);
    expect(params(['over'], 'audited')).toMatchObject({ answer: { result: EVENTS.audited.result } });
  });

  test('while its claims stay held, if its changes are partly applied', () => {
    expect(steps('over', 'auditedHalf')).toBe('done: store keepHeld forget answer');
  });

  test('even if it can’t be stored', () => {
    expect(steps('over', 'failed')).toBe('collapsing: settleFailure');
    expect(steps('over', 'failed', 'audited')).toBe('done: storeIfPossible releaseIfPossible forget answer');
    expect(step(['failed'], 'audited')?.snapshot.context.record.result).toBe(EVENTS.audited.result);
  });

  test('by the coordinator that leads it now', () => {
    expect(steps('over', 'taken')).toBe('elsewhere: releaseIfPossible forget awaitElsewhere');
    expect(steps('failed', 'taken')).toBe('elsewhere: releaseIfPossible forget awaitElsewhere');
    expect(steps('taken', 'elsewhere')).toBe('done: answer');
    expect(step(['taken'], 'elsewhere')?.snapshot.context.record.result).toBe(EVENTS.elsewhere.result);
  });
});

describe('the queue', () => {
  test('is entered once the command is stored as approved', () => {
    expect(steps('classified', 'allowed')).toBe('approved.entering: store enqueue');
    expect(steps('closing', 'classified', 'allowed')).toBe('approved.idle: store');
    expect(step(['closing', 'classified'], 'allowed')?.snapshot.context.record.approvedAt).toBe(at);
  });

  test('is entered again after a restart, unless the coordinator is closing', () => {
    expect(restored('approved', ['resumed'])).toBe('approved.entering: enqueue');
    expect(restored('queued', ['resumed'])).toBe('queued.entering: enqueue');
    expect(restored('approved', ['closing', 'resumed'])).toBe('impossible');
    expect(restored('queued', ['closing', 'resumed'])).toBe('impossible');
  });

  test('grants, makes wait or refuses', () => {
    const path = ['classified', 'allowed'] as const;
    expect(steps(...path, 'grantedNow')).toBe('queued.checking: check');
    expect(steps(...path, 'entered')).toBe('queued.waiting: store');
    expect(steps(...path, 'full')).toBe('ending: audit');
    expect(steps(...path, 'closing', 'grantedNow')).toBe('approved.idle: release');
    expect(params([...path, 'closing'], 'grantedNow')).toEqual({
      release: { holding: { kind: 'lease', lease: LEASE } },
    });
    expect(step(path, 'entered')?.snapshot.context.record.queuedAt).toBe(at);
    expect(step(path, 'grantedNow')?.snapshot.context.record.queuedAt).toBeNull();
  });

  test('grants, makes wait or refuses after a restart', () => {
    expect(restored('queued', ['resumed', 'grantedNow'])).toBe('queued.checking: check');
    expect(restored('queued', ['resumed', 'entered'])).toBe('queued.waiting:');
    expect(restored('queued', ['resumed', 'full'])).toBe('ending: audit');
    expect(restored('queued', ['resumed', 'closing', 'grantedNow'])).toBe('queued.restored: release');
  });

  test('is left with a lease, or after waiting too long, unless the coordinator is closing', () => {
    expect(params(QUEUED, 'leased')).toEqual({ check: { lease: LEASE } });
    expect(steps(...QUEUED, 'stale')).toBe('ending: audit');
    expect(steps(...QUEUED, 'closing', 'leased')).toBe('impossible');
    expect(steps(...QUEUED, 'closing', 'stale')).toBe('impossible');
  });
});

describe('with its lease a command', () => {
  test('runs once it is stored as running', () => {
    const next = step(CHECKING, 'start');
    expect(read(next)).toBe('running.working: store execute');
    expect(params(CHECKING, 'start')).toMatchObject({ execute: { lease: LEASE } });
    expect(next?.snapshot.context.record).toMatchObject({ startedAt: at, lease: LEASE });
  });

  test('is released before a person is asked again', () => {
    expect(steps(...CHECKING, 'needed')).toBe('asking: release ask');
    expect(params(CHECKING, 'needed')).toMatchObject({
      release: { holding: { kind: 'lease', lease: LEASE } },
    });
  });

  test('does not run when the lease was released', () => {
    expect(steps(...CHECKING, 'released', 'start')).toBe('impossible');
  });

  test('ends when that lease is lost, not when another is', () => {
    expect(steps(...CHECKING, 'lost')).toBe('ending: audit');
    const lease = { ...LEASE, leaseId: aLeaseId('b') };
    expect(read(advance(after(...CHECKING), { type: 'lease.lost', lease }))).toBe('impossible');
  });

  test('stays queued and releases it when the coordinator closes', () => {
    expect(steps(...CHECKING, 'closing')).toBe('queued.restored: release');
    expect(steps(...CHECKING, 'closing', 'released', 'resumed')).toBe('impossible');
    expect(after(...CHECKING, 'closing', 'released').context.holding).toEqual({ kind: 'nothing' });
  });

  test('that ran ends with its result', () => {
    expect(steps(...TO_RUNNING, 'dead', 'ran')).toBe('ending: audit');
    expect(params([...TO_RUNNING, 'dead'], 'ran')).toEqual({ audit: { result: EVENTS.ran.result } });
  });
});
