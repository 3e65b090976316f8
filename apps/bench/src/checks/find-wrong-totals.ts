import { isDeepStrictEqual } from 'node:util';
import type { CommandSummary } from '@signalbox/api';
import type { OutcomeKind } from '@signalbox/core';
import { providerOf } from '../drive/call-of.ts';
import type { Trace } from '../evidence/trace.ts';
import type { LastScreens } from '../monitor/monitor-record.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import type { Violation } from './invariant.ts';

const FAILED: readonly OutcomeKind[] = ['failed', 'timed_out', 'lost'];
const DENIED: readonly OutcomeKind[] = ['denied', 'blocked'];

/** Screens and totals at the end that differ from the results that agents got, or from each other. */
export function findWrongTotals(
  final: LastScreens,
  traces: readonly Trace[],
  planned: (key: number) => PlannedCommand,
): readonly Violation[] {
  const answered = traces.flatMap(({ key, answers: [answer] }) =>
    answer === undefined || answer.outcome === 'unsent' ? [] : [{ key, outcome: answer.outcome }],
  );
  const says = [
    ...(final.isCaughtUp ? [] : ['an open screen lacked the last events for half a minute']),
    ...statusFaults(final, countsOf(answered)),
    ...Map.groupBy(answered, ({ key }) => providerOf(planned(key).agent))
      .entries()
      .flatMap(([provider, of]) => providerFaults(final, provider, { counts: countsOf(of) })),
    ...screenFaults(final),
  ];
  return says.map((text) => ({ says: text, keys: [] }));
}

type Counts = ReturnType<typeof countsOf>;

function countsOf(answered: readonly Readonly<{ outcome: string }>[]) {
  const having = (...kinds: readonly string[]): number =>
    answered.filter(({ outcome }) => kinds.includes(outcome)).length;
  return {
    commands: answered.length,
    completed: having('completed'),
    failed: having(...FAILED),
    lost: having('lost'),
    stale: having('conflict'),
    denied: having(...DENIED),
    cancelled: having('cancelled'),
  };
}

/** `signalbox status`, and the numbers at the head of an open screen. */
function statusFaults({ status, followed }: LastScreens, counts: Counts): readonly string[] {
  const { running, waiting, approvals, done, failed, lost = 0, denied, stale } = status.counts;
  return [
    ...differences('status', { running, waiting, approvals }, { running: 0, waiting: 0, approvals: 0 }),
    ...differences(
      'status',
      { done, failed: failed + lost, lost, denied, stale },
      { ...counts, done: counts.completed },
    ),
    ...differences('an open screen', followed.ended, { ...counts, done: counts.completed }),
  ];
}

/** `signalbox stats`. */
function providerFaults(
  { stats }: LastScreens,
  provider: string,
  { counts }: Readonly<{ counts: Counts }>,
): readonly string[] {
  const row = stats.providers.find((one) => one.provider === provider);
  if (row === undefined) return [`stats lack ${provider}`];
  const { commands, completed, failed, denied, cancelled } = row;
  return differences(
    `stats of ${provider}`,
    { commands, completed, failed, denied, cancelled },
    { ...counts, failed: counts.failed + counts.stale },
  );
}

function differences(
  where: string,
  shown: Readonly<Record<string, number>>,
  happened: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(shown).flatMap(([name, count]) =>
    happened[name] === undefined || happened[name] === count
      ? []
      : [`${where}: ${count} ${name} instead of ${happened[name]}`],
  );
}

/** Commands that a screen which followed every event shows otherwise than one that is opened now. */
function screenFaults({ followed, opened }: LastScreens): readonly string[] {
  return [...opened].flatMap(([id, fresh]) => {
    const known = followed.commands.get(id);
    return known !== undefined && isDeepStrictEqual(compared(known), compared(fresh))
      ? []
      : [`${id} on an open screen differs from one opened now: ${differing(known, fresh).join(', ')}`];
  });
}

/**
 * Without claims, which the queue has none of for an ended command, and without times: an event is stamped when it is
 * stored, which on a busy machine is later than what it tells.
 */
function compared({ id, provider, tool, title, state, level, outcome, rule, message }: CommandSummary) {
  return { id, provider, tool, title, state, level, outcome, rule, message };
}

function differing(known: CommandSummary | undefined, fresh: CommandSummary): readonly string[] {
  if (known === undefined) return ['absent'];
  const other: Readonly<Record<string, unknown>> = compared(known);
  return Object.entries(compared(fresh)).flatMap(([name, value]) =>
    isDeepStrictEqual(other[name], value) ? [] : [`${name} ${String(other[name])}, ${String(value)}`],
  );
}
