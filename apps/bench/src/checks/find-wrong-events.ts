import type { Trace } from '../evidence/trace.ts';
import type { FollowedCommand, MonitorRecord } from '../monitor/monitor-record.ts';
import type { Violation } from './invariant.ts';

/**
 * Events have milliseconds, and the evidence has the monotonic clock, which drifts from the wall clock while that is
 * adjusted.
 */
const CLOCK_SLACK_US = 100_000;

/**
 * Commands whose events don't tell what happened: not one submission and one end, another outcome than the agent got, no
 * start of one that worked, or times that contradict the evidence. Nothing to compare after a gap in the events.
 */
export function findWrongEvents(
  { commands, gaps }: Pick<MonitorRecord, 'commands' | 'gaps'>,
  traces: readonly Trace[],
): readonly Violation[] {
  if (gaps > 0) return [];
  const sent = new Set<string>();
  const faults = traces.flatMap((trace) => {
    const [answer] = trace.answers;
    if (answer === undefined || answer.outcome === 'unsent') return [];
    sent.add(answer.commandId);
    const followed = commands.get(answer.commandId);
    const fault =
      followed === undefined
        ? 'has no event'
        : (countFault(followed) ?? outcomeFault(followed, trace) ?? timeFault(followed, trace));
    return fault === null ? [] : [{ says: `#${trace.key} ${fault}`, keys: [trace.key] }];
  });
  const unknown = [...commands.keys()].filter((id) => !sent.has(id));
  return [...faults, ...unknown.map((id) => ({ says: `${id} has events, and no agent sent it`, keys: [] }))];
}

function countFault({ submissions, endings }: FollowedCommand): string | null {
  if (submissions !== 1) return `was submitted ${submissions} times by its events`;
  return endings === 1 ? null : `ended ${endings} times by its events`;
}

function outcomeFault({ summary, firstStartedAt }: FollowedCommand, trace: Trace): string | null {
  const { outcome = '' } = trace.answers[0] ?? {};
  if (summary.outcome !== outcome) return `ended ${outcome}, and by its events ${summary.outcome}`;
  return trace.starts.length > 0 && firstStartedAt === null ? 'started, and no event says so' : null;
}

function timeFault(
  { summary, firstStartedAt }: FollowedCommand,
  { submitted, starts: [start], ended, answers: [answer] }: Trace,
): string | null {
  const isBefore = (aUs: number | undefined, bUs: number | undefined): boolean =>
    aUs !== undefined && bUs !== undefined && aUs + CLOCK_SLACK_US < bUs;
  const submittedUs = summary.submittedAt * 1000;
  const startedUs = firstStartedAt === null ? undefined : firstStartedAt * 1000;
  const endedUs = (summary.endedAt ?? 0) * 1000;
  if (isBefore(submittedUs, submitted?.atUs)) return 'was submitted before it was sent, by its events';
  if (isBefore(start?.atUs, startedUs)) return 'worked before it started, by its events';
  if (isBefore(endedUs, ended?.atUs)) return 'worked after it had ended, by its events';
  return isBefore(answer?.moment.atUs, endedUs) ? 'was answered before it ended, by its events' : null;
}
