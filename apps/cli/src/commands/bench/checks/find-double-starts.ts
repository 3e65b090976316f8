import type { Trace } from '../evidence/trace.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import type { Violation } from './invariant.ts';

/** Commands that started more than once, before they went out, or although the person said no. */
export function findDoubleStarts(
  traces: readonly Trace[],
  planned: (key: number) => PlannedCommand,
): readonly Violation[] {
  return traces.flatMap(({ key, starts, submitted }) => {
    const violation = (says: string): Violation[] => [{ says: `#${key} ${says}`, keys: [key] }];
    if (starts.length > 1) return violation(`started ${starts.length} times`);
    if (starts.length === 1 && planned(key).person === 'refuses')
      return violation('started, and the person said no');
    if (starts.length === 1 && submitted === null) return violation('started, and nobody sent it');
    return [];
  });
}
