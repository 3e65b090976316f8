import { describe, expect, test } from 'vitest';
import { after, at, by, EVENTS, pending } from '../testing/machine-events.ts';
import { params, read, restored, step, steps } from '../testing/machine-steps.ts';
import { advance } from './advance.ts';

const ASKED = ['classified', 'needed', 'asked'] as const;

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
