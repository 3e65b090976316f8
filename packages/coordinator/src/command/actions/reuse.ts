import { mayPrepare } from '../precheck/precheck.ts';
import { resultOfRun, withNotes } from '../command-result.ts';
import type { RunnerDependencies } from '../runner-dependencies.ts';
import type { Stopwatch } from '../stopwatch.ts';
import type { StepPerformers } from './performers.ts';

/**
 * Before a command enters the queue: a call that only reads may be answered at once by an earlier answer, without a
 * lease. Not while an earlier call of its session is open that may still change what it reads, so that the calls of a
 * session keep their order.
 */
export function reusing(
  parts: Pick<
    RunnerDependencies,
    'reads' | 'openBefore' | 'judgeAgain' | 'ran' | 'clock' | 'redact'
  >,
  { enqueue, stopwatch }: StepPerformers<'enqueue'> & { readonly stopwatch: Stopwatch },
): StepPerformers<'enqueue'> {
  return {
    async enqueue(params, record) {
      const { reads, clock, redact } = parts;
      const isFirst = params.wanted === null;
      const isOvertaking = isFirst && [...parts.openBefore(record)].some((one) => mayPrepare(one, record));
      const found = isFirst && !isOvertaking ? await reads.answerTo(record) : null;
      if (found === null || (await parts.judgeAgain(record)).ruling.kind !== 'allow')
        return enqueue(params, record);
      const run = resultOfRun(record, { ...found, endedAt: clock.now() }, redact);
      const done = stopwatch.timed({ ...run, reusedFrom: found.reusedFrom }, false);
      return [{ type: 'result.reused', result: withNotes(done, await parts.ran(record, done)) }];
    },
  };
}
