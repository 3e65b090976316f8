import type { Trace } from '../evidence/trace.ts';
import type { PlannedOutcome, PlannedCommand } from '../plan/planned-command.ts';
import type { Violation } from './invariant.ts';

const ENDINGS: Readonly<Record<PlannedOutcome, readonly string[]>> = {
  works: ['completed'],
  fails: ['failed'],
  hangs: ['timed_out'],
  // It may have completed before it was cancelled.
  cancelled: ['cancelled', 'completed'],
};

/** Commands without exactly one result, with an unplanned one, or whose result contradicts their evidence. */
export function findWrongResults(
  traces: readonly Trace[],
  mayBeLost: boolean,
  planned: (key: number) => PlannedCommand,
): readonly Violation[] {
  return traces.flatMap((trace) => {
    const problem = whatIsWrong(trace, mayBeLost, planned(trace.key));
    return problem === null ? [] : [{ says: `#${trace.key} ${problem}`, keys: [trace.key] }];
  });
}

function whatIsWrong({ answers, ended }: Trace, mayBeLost: boolean, planned: PlannedCommand): string | null {
  if (answers.length !== 1) return `has ${answers.length} results`;
  const outcome = answers[0]?.outcome ?? '';
  if (outcome === 'lost' && mayBeLost) return null;
  // The process was killed before it accepted the call.
  if (outcome === 'unsent' && mayBeLost)
    return ended === null ? null : 'did its work, but was never accepted';
  const wanted = planned.person === 'refuses' ? ['denied'] : ENDINGS[planned.plannedOutcome];
  if (!wanted.includes(outcome)) return `ended ${outcome}, and was to be ${wanted.join(' or ')}`;
  if (outcome === 'completed' && ended === null) return 'is said to be completed, and left no evidence of it';
  // A cancelled command may have just finished.
  if (outcome !== 'completed' && outcome !== 'cancelled' && ended !== null)
    return `did its work, and is said to be ${outcome}`;
  return null;
}

/** Commands that started more than once, before they were sent, or although their approval was denied. */
export function findDoubleStarts(
  traces: readonly Trace[],
  planned: (key: number) => PlannedCommand,
): readonly Violation[] {
  return traces.flatMap(({ key, starts, submitted }) => {
    const violation = (problem: string): Violation[] => [{ says: `#${key} ${problem}`, keys: [key] }];
    if (starts.length > 1) return violation(`started ${starts.length} times`);
    if (starts.length === 1 && planned(key).person === 'refuses')
      return violation('started, and the person said no');
    if (starts.length === 1 && submitted === null) return violation('started, but was never sent');
    return [];
  });
}

/** Commands that waited longer than the coordinator allows, between submission and their start or end. */
export function findLongWaits(traces: readonly Trace[], maxWaitMs: number): readonly Violation[] {
  return traces.flatMap(({ key, submitted, starts, answers }) => {
    const until = starts[0] ?? answers[0]?.moment;
    if (submitted === null || until === undefined) return [];
    const waitedMs = (until.atUs - submitted.atUs) / 1000;
    return waitedMs > maxWaitMs
      ? [{ says: `#${key} waited ${Math.round(waitedMs)} ms; ${maxWaitMs} ms is the bound`, keys: [key] }]
      : [];
  });
}
