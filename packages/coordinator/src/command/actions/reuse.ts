import type { CommandRecord, SessionId } from '@signalbox/core';
import { mayPrepare } from '../precheck/precheck.ts';
import { resultOfRun, withNotes } from '../command-result.ts';
import type { ExecutedCall } from '../running/execute-call.ts';
import type { RunnerDependencies } from '../runner-dependencies.ts';
import type { Stopwatch } from '../stopwatch.ts';
import type { claiming } from './claims.ts';

type Claiming = ReturnType<typeof claiming>;

/**
 * Before a command enters the queue: a call that only reads may be answered at once by an earlier answer, without a
 * lease. Not while an earlier call of its session is open that may still change what it reads.
 *
 * Calls of a session enter the queue in their order, so the later ones wait for such a check.
 */
export function reusing(
  parts: Pick<
    RunnerDependencies,
    | 'filterOf'
    | 'untrustedOf'
    | 'hidePathsOf'
    | 'reads'
    | 'earlierChecks'
    | 'openBefore'
    | 'judgeAgain'
    | 'ran'
    | 'clock'
    | 'redact'
  >,
  { claims, stopwatch }: { readonly claims: Claiming; readonly stopwatch: Stopwatch },
): Claiming {
  const { reads, earlierChecks, clock, redact } = parts;

  function isCandidate(record: CommandRecord): boolean {
    return reads.has(record) && !parts.openBefore(record).some((one) => mayPrepare(one, record));
  }

  async function answerTo(record: CommandRecord): Promise<ExecutedCall | null> {
    const found = await reads.answerTo(record);
    if (found === null) return null;
    return (await parts.judgeAgain(record)).ruling.kind === 'allow' ? found : null;
  }

  /** Resolves in the order of the calls. */
  function inOrder(
    session: SessionId,
    check: () => Promise<ExecutedCall | null> | null,
  ): Promise<ExecutedCall | null> {
    const checked = (earlierChecks.get(session) ?? Promise.resolve()).then(check);
    const over = checked.then(
      () => undefined,
      () => undefined,
    );
    earlierChecks.set(session, over);
    void forget(session, over);
    return checked;
  }

  async function forget(session: SessionId, over: Promise<void>): Promise<void> {
    await over;
    if (earlierChecks.get(session) === over) earlierChecks.delete(session);
  }

  return {
    ...claims,
    async enqueue(params, record) {
      const { sessionId } = record.context;
      const isChecked = params.wanted === null && isCandidate(record);
      if (!isChecked && !earlierChecks.has(sessionId)) return claims.enqueue(params, record);
      const found = await inOrder(sessionId, () => (isChecked ? answerTo(record) : null));
      if (found === null) return claims.enqueue(params, record);
      const filter = found.answer?.execution === undefined ? undefined : await parts.filterOf(record);
      const hidePaths = await parts.hidePathsOf(record);
      const untrusted = parts.untrustedOf(record, found);
      const run = resultOfRun(
        record,
        { ...found, filter, hidePaths, untrusted, endedAt: clock.now() },
        redact,
      );
      const done = stopwatch.timed({ ...run, reusedFrom: found.reusedFrom }, false);
      return [{ type: 'result.reused', result: withNotes(done, await parts.ran(record, done)) }];
    },
  };
}
