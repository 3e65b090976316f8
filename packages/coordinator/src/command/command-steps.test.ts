import { aCall, aCommandRecord, aLeaseId } from '@signalbox/core/testing';
import { describe, expect, test } from 'vitest';
import {
  after,
  at,
  by,
  type EventName,
  EVENTS,
  HASH,
  pending,
  TO_RUNNING,
  VERDICT,
} from '../testing/machine-events.ts';
import { advance, type CommandSnapshot, type MachineAdvance, restore, stateName } from './advance.ts';
import type { CommandEvent } from './command-event.ts';

const LEASE = EVENTS.leased.lease;
const ASKED = ['classified', 'needed', 'asked'] as const;
const QUEUED = ['classified', 'allowed', 'entered'] as const;
const CHECKING = [...QUEUED, 'leased'] as const;

function step(names: readonly EventName[], event: EventName): MachineAdvance | null {
  return advance(after(...names), EVENTS[event]);
}

/** `state: actions` of the last event; `impossible` if it is not possible now. */
function steps(...names: readonly EventName[]): string {
  const last = names.at(-1);
  if (last === undefined) throw new Error('no event');
  return read(step(names.slice(0, -1), last));
}

function read(next: MachineAdvance | null): string {
  if (next === null) return 'impossible';
  return [`${stateName(next.snapshot)}:`, ...next.actions.map(({ type }) => type)].join(' ');
}

/** The steps of a stored record after a restart. */
function restored(state: 'awaiting_approval' | 'approved' | 'queued', names: readonly EventName[]): string {
  const record = aCommandRecord({ state, approval: pending, verdict: VERDICT, callHash: HASH });
  const events = names.map((name): CommandEvent => EVENTS[name]);
  const last = events.pop();
  if (last === undefined) throw new Error('no event');
  const before = events.reduce<CommandSnapshot>((snapshot, event) => {
    return advance(snapshot, event)?.snapshot ?? snapshot;
  }, restore(record));
  return read(advance(before, last));
}

/** The parameters of the last event’s actions, by type. */
function params(names: readonly EventName[], event: EventName): Readonly<Record<string, unknown>> {
  const actions = step(names, event)?.actions ?? [];
  return Object.fromEntries(actions.map((action) => [action.type, action.params]));
}

/** The paths to each state in which no process of the command exists. */
const UNSTARTED: Readonly<Record<string, readonly EventName[]>> = {
  submitted: [],
  classified: ['classified'],
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

describe('an approval', () => {
  test('is requested, stored, timed, and reported to the person whose answer it follows', () => {
    expect(steps('classified', 'needed')).toBe('asking: ask');
    expect(steps(...ASKED)).toBe('awaiting_approval: store wait reply');
    const reply = { kind: 'files-changed', paths: ['a'] } as const;
    const asked = advance(after('classified', 'needed'), { ...EVENTS.asked, reply });
    expect(asked?.actions.at(-1)).toMatchObject({ type: 'reply', params: { answer: reply } });
  });

  test('that was answered before it was requested again is neither stored nor timed', () => {
    const next = step(['classified', 'needed'], 'askedLate');
    expect(read(next)).toBe('awaiting_approval:');
    expect(next?.snapshot.context.record.approval).toEqual(pending);
  });

  test('is timed again after a restart', () => {
    expect(restored('awaiting_approval', ['resumed'])).toBe('awaiting_approval: wait');
  });

  test('is checked for this call only, with what the person changed', () => {
    expect(params(ASKED, 'given')).toEqual({ consider: { by, changed: undefined } });
    for (const late of ['given', 'refused', 'extended'] as const)
      expect(steps(...ASKED, 'changed', late)).toBe('impossible');
  });

  test('that does not count is answered', () => {
    for (const path of [ASKED, ['classified', 'needed']] as const)
      expect(params(path, 'void')).toEqual({ reply: { answer: EVENTS.void.answer } });
  });

  test('of one of two people is stored, and the time goes on', () => {
    expect(steps(...ASKED, 'counted')).toBe('awaiting_approval: store wait reply');
    expect(params(ASKED, 'counted')).toMatchObject({ reply: { answer: { kind: 'counted' } } });
  });

  test('of a changed call is of the changed call', () => {
    expect(steps(...ASKED, 'changed')).toBe('awaiting_approval:');
    expect(step(ASKED, 'changed')?.snapshot.context.record.call.args).toEqual({ text: 'less' });
  });

  test('lets the command enter the queue, unless the coordinator is closing', () => {
    expect(steps(...ASKED, 'granted')).toBe('approved.entering: stopWaiting store noteGrant reply enqueue');
    expect(params(ASKED, 'granted')).toMatchObject({ reply: { answer: { kind: 'granted' } } });
    expect(steps(...ASKED, 'closing', 'granted')).toBe('approved.idle: stopWaiting store noteGrant reply');
    const record = step([...ASKED, 'closing'], 'granted')?.snapshot.context.record;
    expect(record).toMatchObject({ approvedAt: at, approval: { status: 'granted' } });
  });

  test('that is refused ends the command, and what it would have touched is remembered', () => {
    expect(steps(...ASKED, 'refused')).toBe('ending: stopWaiting noteRefusal audit');
    expect(params(ASKED, 'refused')).toMatchObject({ noteRefusal: { by } });
    expect(step(ASKED, 'refused')?.snapshot.context.record.approval?.status).toBe('refused');
  });

  test('that can be extended is stored and timed again', () => {
    expect(steps(...ASKED, 'extended')).toBe('awaiting_approval: store wait');
    expect(step(ASKED, 'extended')?.snapshot.context.record.approval?.expiresAt).toBe(
      pending.expiresAt + 1000,
    );
  });

  test('expires when its time is over', () => {
    expect(steps(...ASKED, 'dueSoon')).toBe('awaiting_approval: wait');
    expect(steps(...ASKED, 'due')).toBe('ending: stopWaiting audit');
  });

  test('does not expire during closing, when nobody could be told', () => {
    expect(steps(...ASKED, 'closing', 'due')).toBe('impossible');
    expect(steps(...ASKED, 'closing', 'duePauses')).toBe('impossible');
  });

  test('that may be late pauses instead, until it is extended or answered', () => {
    expect(steps(...ASKED, 'duePauses')).toBe('awaiting_approval: store');
    expect(step(ASKED, 'duePauses')?.snapshot.context.record.approval).toMatchObject({
      status: 'pending',
      pausedAt: EVENTS.duePauses.at,
    });
    for (const again of ['due', 'dueSoon', 'duePauses'] as const)
      expect(steps(...ASKED, 'duePauses', again)).toBe('impossible');
    expect(steps(...ASKED, 'duePauses', 'extended', 'dueSoon')).toBe('awaiting_approval: wait');
    expect(steps(...ASKED, 'duePauses', 'granted')).toContain('approved.entering');
  });

  test('is considered again under a new policy, unless the coordinator is closing', () => {
    expect(steps(...ASKED, 'policy')).toBe('awaiting_approval: reconsider');
    expect(steps(...ASKED, 'closing', 'policy')).toBe('impossible');
    expect(steps(...ASKED, 'needed')).toBe('asking: stopWaiting ask');
    expect(steps(...ASKED, 'allowed')).toBe('approved.entering: stopWaiting store enqueue');
    expect(steps(...ASKED, 'closing', 'allowed')).toBe('approved.idle: stopWaiting store');
  });

  test('whose effect fails stays pending, and the person is told', () => {
    expect(steps(...ASKED, 'failedAnswer')).toBe('awaiting_approval: replyFailed');
    expect(steps(...ASKED, 'needed', 'failedAnswer')).toBe('awaiting_approval: replyFailed');
    expect(params([...ASKED, 'needed'], 'failedAnswer')).toEqual({
      replyFailed: { cause: EVENTS.failedAnswer.cause },
    });
    expect(steps('classified', 'needed', 'failedAnswer')).toBe('collapsing: settleFailure');
  });

  test('is timed no more when the coordinator closes', () => {
    expect(steps(...ASKED, 'closing')).toBe('awaiting_approval: stopWaiting');
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
