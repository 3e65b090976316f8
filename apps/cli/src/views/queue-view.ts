import { checkWord, WHY_CHECKS_HOLD } from '@signalbox/api';
import {
  type CommandId,
  type CommandRecord,
  describeClaim,
  type SchedulerSnapshot,
  type StuckCommand,
  type UnfinishedCount,
} from '@signalbox/core';
import { idLabel, idLabels } from '../terminal/id-labels.ts';
import { wrap } from '../terminal/cells.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { clockTime, type RenderContext, timer } from '../terminal/render-context.ts';
import { tableLines } from '../terminal/table.ts';

/** How many waiting commands are listed. */
export const MAX_WAITING = 200;

export type QueueData = Readonly<{
  snapshot: SchedulerSnapshot;
  /** Of all unfinished commands, listed or not. */
  counts: readonly UnfinishedCount[];
  /** Commands whose files are partly applied. */
  stuck: readonly StuckCommand[];
  /** Every command that the snapshot names, as far as known. */
  commands: ReadonlyMap<CommandId, CommandRecord>;
  /** Null if unknown. */
  limits: Readonly<{ maxConcurrent: number; maxWaitMs: number }> | null;
}>;

/** Which commands wait for which. */
export function queueView(data: QueueData, render: RenderContext): readonly Line[] {
  const { waiting, leases } = data.snapshot;
  const oldest = waiting.toSorted((a, b) => a.since - b.since)[0];
  const age = oldest === undefined ? '' : `, longest ${timer(render.now - oldest.since)}`;
  const total = line(
    muted(`${count(waitingIn(data))} waiting${age} · ${runningOf(leases.length, data.limits)}`),
  );
  if (waiting.length === 0) return [...stuckLines(data, render), line('Queue is empty'), total];
  const label = idLabels([...data.commands.keys(), ...waiting.map(({ commandId }) => commandId)], render);
  const named = (id: CommandId): string => {
    const provider = data.commands.get(id)?.context.provider;
    return provider === undefined ? label(id) : `${label(id)} ${provider}`;
  };
  const rows = waiting.map((entry, i) => [
    muted(String(i + 1)),
    label(entry.commandId),
    entry.provider,
    entry.claims.map(describeClaim).join(', ') || 'a slot',
    muted(timer(render.now - entry.since)),
    as('text', entry.blockers.length === 0 ? 'a free slot' : entry.blockers.map(named).join(', ')),
  ]);
  const columns = [
    { title: '' },
    { title: 'ID' },
    { title: 'PROVIDER' },
    { title: 'WANTS', gives: 'end' },
    { title: 'WAITS' },
    { title: 'BEHIND', gives: 'end' },
  ] as const;
  const more = waitingIn(data) - waiting.length;
  const rest = more > 0 ? [line(muted(`and ${count(more)} more`))] : [];
  return [
    ...stuckLines(data, render),
    ...tableLines(columns, rows, render),
    ...rest,
    ...checkLines(data, { render, named }),
    total,
  ];
}

/** Tests and linters that others wait for, and what those wait for. */
function checkLines(
  { snapshot, commands }: QueueData,
  { render, named }: Readonly<{ render: RenderContext; named: (id: CommandId) => string }>,
): readonly Line[] {
  const awaited = new Set(snapshot.waiting.flatMap(({ blockers }) => blockers));
  const checks = [...awaited].flatMap((id) => {
    const record = commands.get(id);
    const word = record?.state === 'running' ? checkWord(record.title) : null;
    if (record === undefined || word === null) return [];
    const ran = render.now - (record.startedAt ?? record.submittedAt);
    return [line(muted(`${named(id)} is a ${word}, running for ${timer(ran)}`))];
  });
  return checks.length === 0
    ? []
    : [...checks, ...wrap(WHY_CHECKS_HOLD, render.width).map((row) => line(muted(row)))];
}

/** How many wait, listed or not. */
export function waitingIn({ snapshot, counts }: Pick<QueueData, 'snapshot' | 'counts'>): number {
  const queued = counts.filter(({ state }) => state === 'queued');
  const all = queued.reduce((sum, { commands }) => sum + commands, 0);
  // The two are read one after the other, and change meanwhile.
  return Math.max(all, snapshot.waiting.length);
}

function count(commands: number): string {
  return commands.toLocaleString('en');
}

function runningOf(running: number, limits: QueueData['limits']): string {
  if (limits === null) return `${running} running`;
  const { maxConcurrent, maxWaitMs } = limits;
  return `${running} of ${maxConcurrent} slots in use · cancelled after ${clockTime(maxWaitMs)}`;
}

function stuckLines({ stuck }: Pick<QueueData, 'stuck'>, render: RenderContext): readonly Line[] {
  return stuck.flatMap(({ command, why, since }) => [
    line(
      as('danger', `${idLabel(command, render)} is partly applied`),
      ` and keeps its leases (${timer(render.now - since)}). Rollback is being retried`,
    ),
    line(muted(`  ${why}`)),
  ]);
}
