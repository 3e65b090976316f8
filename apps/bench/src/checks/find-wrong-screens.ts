import { describeClaim } from '@signalbox/core';
import type { Trace } from '../evidence/trace.ts';
import type { MonitorRecord, ScreenSample } from '../monitor/monitor-record.ts';
import { claimsOfPlanned, type PlannedCommand } from '../plan/planned-command.ts';
import type { Violation } from './invariant.ts';

/** Largest difference between the clock of a shell and ours. */
const CLOCK_SLACK_US = 1000;
/** A snapshot lists that many commands of a state. */
const LISTED = 200;

/** A trace with its id, and the interval in which it certainly worked; null if it left no start or end. */
type Worked = Readonly<{ id: string; trace: Trace; work: Readonly<{ fromUs: number; toUs: number }> | null }>;

/**
 * What snapshots during the run showed, and the evidence contradicts: a working command that was not `running` or held no
 * lease on its file, one that was unfinished after its answer, or there before it was sent.
 */
export function findWrongScreens(
  { samples }: Pick<MonitorRecord, 'samples'>,
  traces: readonly Trace[],
  planned: (key: number) => PlannedCommand,
): readonly Violation[] {
  const all = traces.flatMap(workedOf);
  const byId = new Map(all.map((one) => [one.id, one]));
  const inOrder = all
    .filter(({ work }) => work !== null)
    .toSorted((a, b) => (a.work?.fromUs ?? 0) - (b.work?.fromUs ?? 0));
  let next = 0;
  let active: Worked[] = [];
  return samples.flatMap((sample) => {
    for (; (inOrder[next]?.work?.fromUs ?? Infinity) <= sample.fromUs; next++)
      active.push(inOrder[next] as Worked);
    active = active.filter(({ work }) => (work?.toUs ?? 0) >= sample.fromUs);
    const throughout = active.filter(({ work }) => (work?.toUs ?? 0) >= sample.toUs);
    return [
      ...throughout.flatMap(({ id, trace: { key } }) => workingFaults(sample, id, { planned: planned(key) })),
      ...[...sample.commands].flatMap(([id, state]) => shownFaults(sample, byId.get(id), { id, state })),
    ];
  });
}

function workedOf(trace: Trace): readonly Worked[] {
  const [answer] = trace.answers;
  if (answer === undefined || answer.outcome === 'unsent') return [];
  const [start] = trace.starts;
  // Of one that was killed nobody knows how long it worked.
  const isKnown = start !== undefined && trace.ended !== null && answer.outcome === 'completed';
  const work = isKnown
    ? { fromUs: start.atUs + CLOCK_SLACK_US, toUs: (trace.ended?.atUs ?? 0) - CLOCK_SLACK_US }
    : null;
  return [{ id: answer.commandId, trace, work }];
}

function workingFaults(
  { commands, leases }: ScreenSample,
  id: string,
  { planned }: Readonly<{ planned: PlannedCommand }>,
): readonly Violation[] {
  const { key, work } = planned;
  const state = commands.get(id);
  const running = [...commands.values()].filter((one) => one === 'running').length;
  const isCut = state === undefined && running >= LISTED;
  const faults = state === 'running' || isCut ? [] : [`worked, and was shown ${state ?? 'nowhere'}`];
  // The claims of a shell line are known when it ends.
  if (work === 'read' || work === 'write') {
    const held = new Set((leases.get(id) ?? []).map(describeClaim));
    const missing = claimsOfPlanned(planned)
      .map(describeClaim)
      .filter((claim) => !held.has(claim));
    if (missing.length > 0) faults.push(`worked, and no lease was shown on ${missing.join(', ')}`);
  }
  return faults.map((fault) => ({ says: `#${key} ${fault}`, keys: [key] }));
}

function shownFaults(
  { fromUs, toUs }: ScreenSample,
  worked: Worked | undefined,
  { id, state }: Readonly<{ id: string; state: string }>,
): readonly Violation[] {
  if (worked === undefined) return [{ says: `${id} was shown, and no agent sent it`, keys: [] }];
  const { key, submitted, answers } = worked.trace;
  const fault = (text: string): Violation[] => [{ says: `#${key} ${text}`, keys: [key] }];
  if (submitted !== null && submitted.atUs > toUs) return fault('was shown before it was sent');
  const answeredUs = answers[0]?.moment.atUs ?? Infinity;
  return state !== 'done' && answeredUs < fromUs ? fault(`was shown ${state} after its answer`) : [];
}
