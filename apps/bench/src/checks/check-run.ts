import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Trace } from '../evidence/trace.ts';
import type { MonitorRecord } from '../monitor/monitor-record.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { findAuditGaps } from './find-audit-gaps.ts';
import { findHistoryGaps } from './find-history-gaps.ts';
import { findLostUpdates } from './find-lost-updates.ts';
import { findOverlaps } from './find-overlaps.ts';
import { findOvertakers } from './find-overtakers.ts';
import { findDoubleStarts, findLongWaits, findWrongResults } from './find-wrong-commands.ts';
import { findWrongEvents } from './find-wrong-events.ts';
import { findWrongScreens } from './find-wrong-screens.ts';
import { findWrongTotals } from './find-wrong-totals.ts';
import { arrivals, heldIntervals, TIME_SCALES } from './held-intervals.ts';
import { type Checked, checked, type Violation } from './invariant.ts';

/** State after a run. */
type Remains = Readonly<{
  traces: readonly Trace[];
  planned: (key: number) => PlannedCommand;
  workspace: string;
  /** Subjects of the commits of the branch, newest first. */
  subjects: readonly string[];
  auditFiles: readonly string[];
  /** Leases and queue entries that remain although every command has an answer, as text for people. */
  leftovers: readonly string[];
  maxWaitMs: number;
  /** Processes of the coordinator were killed during the run. */
  mayBeLost: boolean;
  /** What was shown during the run; null if nobody looked. */
  monitor: MonitorRecord | null;
}>;

/** Checks every invariant against the evidence that the commands themselves left. */
export async function checkRun(remains: Remains): Promise<readonly Checked[]> {
  const { traces, planned, leftovers, maxWaitMs, mayBeLost } = remains;
  const started = traces.filter(({ starts }) => starts.length > 0);
  // Commands of a killed process lose their position: another process enqueues them again.
  const inTurn = mayBeLost ? [] : started;
  const audit = await findAuditGaps(remains.auditFiles, traces);
  const counted = countedFiles(remains);
  return [
    checked('lost-updates', sum(counted.map(({ values }) => values.length)), {
      violations: counted.flatMap(findLostUpdates),
    }),
    checked('overlaps', started.length, {
      violations: TIME_SCALES.flatMap((scale) => findOverlaps(heldIntervals(started, planned, scale))),
    }),
    checked('double-starts', started.length, { violations: findDoubleStarts(traces, planned) }),
    checked('results', traces.length, { violations: findWrongResults(traces, mayBeLost, planned) }),
    checked('waits', traces.length, { violations: findLongWaits(traces, maxWaitMs) }),
    checked('order', inTurn.filter(({ rested }) => rested !== null).length, {
      violations: TIME_SCALES.flatMap((scale) => findOvertakers(overtakable(inTurn, planned, scale))),
    }),
    checked('leases', traces.length, {
      violations: leftovers.map((says): Violation => ({ says, keys: [] })),
    }),
    checked('audit', audit.lines, { violations: audit.violations }),
    historyChecked(remains),
    ...(remains.monitor === null ? [] : monitorChecked(remains.monitor, traces, { planned })),
  ];
}

function monitorChecked(
  monitor: MonitorRecord,
  traces: readonly Trace[],
  { planned }: Pick<Remains, 'planned'>,
): readonly Checked[] {
  const { commands, samples, final } = monitor;
  return [
    checked('events', commands.size, { violations: findWrongEvents(monitor, traces) }),
    checked('screens', samples.length, { violations: findWrongScreens(monitor, traces, planned) }),
    checked('totals', final.stats.providers.length, {
      violations: findWrongTotals(final, traces, planned),
    }),
  ];
}

/** Without commands that need an approval: their time of entry into the queue is not visible from outside. */
function overtakable(
  traces: readonly Trace[],
  planned: Remains['planned'],
  scale: (typeof TIME_SCALES)[number],
): ReturnType<typeof arrivals> {
  return arrivals(
    traces.filter(({ key }) => planned(key).person === 'nobody'),
    planned,
    scale,
  );
}

function countedFiles({ traces, planned, workspace }: Remains) {
  const byPath = Map.groupBy(
    traces.filter(({ key, starts }) => planned(key).work !== 'read' && starts.length > 0),
    ({ key }) => planned(key).path,
  );
  return [...byPath].map(([path, ofPath]) => ({
    path,
    final: Number(readFileSync(join(workspace, path), 'utf8')),
    values: ofPath.flatMap(({ key, value }) => (value === null ? [] : [{ key, value }])),
    unknown: ofPath.filter((trace) => trace.value === null && mayHaveCounted(trace)).length,
  }));
}

/** Commands that failed, timed out or were denied have not counted. */
function mayHaveCounted({ answers }: Trace): boolean {
  return answers.every(({ outcome }) => outcome === 'lost' || outcome === 'cancelled');
}

function historyChecked({ traces, planned, subjects }: Remains): Checked {
  const ofGit = traces.filter(({ key }) => planned(key).work === 'git');
  const ended = (outcomes: readonly string[]): ReadonlySet<number> =>
    new Set(
      ofGit.flatMap(({ key, answers }) => (outcomes.includes(answers[0]?.outcome ?? 'lost') ? [key] : [])),
    );
  return checked('history', ofGit.length, {
    violations: findHistoryGaps(subjects, ended(['completed']), ended(['lost', 'cancelled'])),
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
