import { EMPTY_OUTPUT, type Execution, LeaseLostError, SandboxError, ToolFailure } from '@signalbox/core';
import { expect, test } from 'vitest';
import type { AuditLine } from '../../audit/audit-line.ts';
import { anExecution } from '../../testing/coordinator-harness.ts';
import { cancelled, type Interruption, lost, outcomeOfAnswer, outcomeOfError } from './outcome-of.ts';
import { outcomeOfAuditLine } from './outcome-of-audit-line.ts';

const CANCEL: Interruption = { kind: 'cancelled', by: 'ana', reason: 'enough' };
const LOST: Interruption = { kind: 'lease-lost' };
const LATE: Interruption = { kind: 'timed_out', timeoutMs: 5000 };
const exited = (exitCode: number): Execution['ended'] => ({ kind: 'exited', exitCode });

/** Kind, plus category and code of a failure. */
function reported(outcome: ReturnType<typeof outcomeOfAnswer>): string {
  return outcome.kind === 'completed'
    ? 'completed'
    : `${outcome.kind} ${outcome.failure.category} ${outcome.failure.code}`;
}

test.each<[string, Execution['ended'] | undefined, Interruption | undefined, string]>([
  ['no program', undefined, undefined, 'completed'],
  ['no program, cancelled too late', undefined, CANCEL, 'completed'],
  ['no program, but its lease was lost', undefined, LOST, 'lost PermanentFailure lost'],
  ['exit code 0', exited(0), undefined, 'completed'],
  ['exit code 0 without its lease', exited(0), LOST, 'lost PermanentFailure lost'],
  ['exit code 1', exited(1), undefined, 'failed PermanentFailure exit-code'],
  ['a signal', { kind: 'signalled', signal: 'SIGSEGV' }, undefined, 'failed PermanentFailure signalled'],
  [
    'a limit',
    { kind: 'limited', limit: 'max_memory_mb' },
    undefined,
    'failed PermanentFailure limit-reached',
  ],
  ['its time is over', { kind: 'timed_out', timeoutMs: 7 }, undefined, 'timed_out Timeout timeout'],
  ['stopped by a person', { kind: 'stopped' }, CANCEL, 'cancelled Cancelled cancelled'],
  ['stopped by our own timer', { kind: 'stopped' }, LATE, 'timed_out Timeout timeout'],
  ['stopped by nobody known', { kind: 'stopped' }, undefined, 'cancelled Cancelled cancelled'],
])('a handler that answers: %s', (_name, ended, interruption, expected) => {
  expect(
    reported(outcomeOfAnswer(ended === undefined ? undefined : anExecution({ ended }), interruption)),
  ).toBe(expected);
});

const toolFailure = (code: string) =>
  new ToolFailure({ code, category: 'InvalidParameters', message: 'No', suggestion: 'Yes', why: ['+1'] });

test.each<[string, unknown, Interruption | undefined, string]>([
  ['its own failure', toolFailure('too-large'), undefined, 'failed InvalidParameters too-large'],
  [
    'a stale write of a tool',
    toolFailure('stale-write'),
    undefined,
    'conflict InvalidParameters stale-write',
  ],
  ['no sandbox', new SandboxError('No', { why: ['x'] }), undefined, 'failed PermanentFailure sandbox_error'],
  ['its lease gone', new LeaseLostError('gone'), undefined, 'lost PermanentFailure lost'],
  ['its lease gone while it was cancelled', new LeaseLostError('gone'), CANCEL, 'lost PermanentFailure lost'],
  ['anything when cancelled', new Error('x'), CANCEL, 'cancelled Cancelled cancelled'],
  ['its own failure when it was too late', toolFailure('x'), LATE, 'timed_out Timeout timeout'],
  ['a bug', new TypeError('x'), undefined, 'failed PermanentFailure internal'],
  ['no error at all', 'x', undefined, 'failed PermanentFailure internal'],
])('a handler that throws: %s (S000-57, S000-65)', (_name, error, interruption, expected) => {
  expect(reported(outcomeOfError(error, interruption))).toBe(expected);
});

test('a server that a command without network could not reach is not worth another try (V2)', () => {
  const failed = (more: Partial<Execution>, text = 'curl: could not resolve host') => {
    const stderr = { ...EMPTY_OUTPUT, text };
    const outcome = outcomeOfAnswer(anExecution({ ended: exited(6), stderr, ...more }), undefined);
    return outcome.kind === 'completed' ? null : outcome.failure;
  };
  const { isolation } = anExecution();
  const open = { ...isolation, net: { strength: 'off' } } as Execution['isolation'];
  const attempts = {} as NonNullable<Execution['connectionAttempts']>;
  const refused = { category: 'NetworkError', retryable: false };
  expect(failed({})).toMatchObject({ ...refused, suggestion: expect.stringContaining('without network') });
  expect(failed({ connectionAttempts: attempts, network: [], isolation: open })).toMatchObject(refused);
  for (const more of [{ network: [] }, { isolation: open }]) {
    expect(failed(more)).toMatchObject({ category: 'NetworkError' });
    expect(failed(more)).not.toHaveProperty('retryable');
    expect(failed(more)?.suggestion).not.toContain('without network');
  }
  expect(failed({}, 'No such file or directory')).not.toHaveProperty('retryable');
});

test('a lost outcome says why, if known', () => {
  const gone = new LeaseLostError('gone', { why: ['worker wrk_a, which ran it, is gone'] });
  const [known, unknown] = [gone, new LeaseLostError('gone')].map((error) =>
    outcomeOfError(error, undefined),
  );
  expect([known, unknown]).toEqual([
    lost('worker wrk_a, which ran it, is gone'),
    lost('it lost its lease while it ran and was stopped'),
  ]);
});

test('only what a tool meant to say is visible to the model (V3, X-16, S004-04, S004-05)', () => {
  const visibility = (error: unknown) => {
    const outcome = outcomeOfError(error, undefined);
    return outcome.kind === 'completed' ? undefined : outcome.failure.visibility;
  };
  expect(visibility(toolFailure('x'))).toBe('visible');
  expect(visibility(new SandboxError('No'))).toBe('visible');
  expect(visibility(new TypeError('/home/ana/.ssh/id'))).toBe('hidden');
});

test('an ending known only from the audit is reported as it was, and never as completed if it was not', () => {
  const line = (result: string, more: Partial<AuditLine> = {}) =>
    outcomeOfAuditLine({
      result,
      error_code: null,
      error_category: null,
      error_detail: null,
      ...more,
    } as AuditLine);
  expect(line('completed')).toEqual({ kind: 'completed' });
  const given = cancelled('ana', 'enough');
  if (given.kind === 'completed') throw new Error('completed');
  const { code, category, message } = given.failure;
  expect(line('cancelled', { error_code: code, error_category: category, error_detail: message })).toEqual(
    given,
  );
  expect(line('failed', { error_code: 'internal' })).toMatchObject({ failure: { visibility: 'hidden' } });
  expect(line('denied')).toMatchObject({ kind: 'denied', failure: { code: 'unknown' } });
  expect(line('exploded')).toEqual(lost('the audit log says "exploded"'));
});
