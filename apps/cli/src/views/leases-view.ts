import {
  type CommandId,
  type CommandRecord,
  describeClaim,
  type Lease,
  type SchedulerSnapshot,
} from '@signalbox/core';
import { idLabels } from '../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { type RenderContext, timer } from '../terminal/render-context.ts';
import { tableLines } from '../terminal/table.ts';

type Data = Readonly<{
  snapshot: SchedulerSnapshot;
  commands: ReadonlyMap<CommandId, CommandRecord>;
}>;

const COLUMNS = [
  { title: 'ID' },
  { title: 'PROVIDER' },
  { title: 'HOLDS', gives: 'end' },
  { title: 'HELD' },
  { title: 'FENCING TOKEN', align: 'right' },
  { title: 'WAITING', gives: 'end' },
] as const;

/** Each lease with its holder, start, fencing token and waiting commands. */
export function leasesView(
  { snapshot: { leases, waiting }, commands }: Data,
  render: RenderContext,
): readonly Line[] {
  const label = idLabels(
    [...leases, ...waiting].map(({ commandId }) => commandId),
    render,
  );
  const total = line(muted(`${leases.length} running · ${waiting.length} waiting · signalbox leases --tree`));
  if (leases.length === 0) return [line('No leases held'), total];
  const rows = leases.map((lease) => {
    const { commandId, fencingToken } = lease;
    const record = commands.get(commandId);
    const behind = waiting.filter(({ blockers }) => blockers.includes(commandId));
    return [
      as('bold', label(commandId)),
      record?.context.provider ?? '?',
      lease.claims.length === 0 ? muted(claimsText(lease)) : claimsText(lease),
      muted(record == null ? '–' : timer(render.now - (record.startedAt ?? record.submittedAt))),
      String(fencingToken),
      behind.length === 0
        ? muted('–')
        : behind.map((entry) => `${label(entry.commandId)} ${entry.provider}`).join(', '),
    ];
  });
  return [...tableLines(COLUMNS, rows, render), total];
}

export function claimsText({ claims }: Pick<Lease, 'claims'>): string {
  return claims.length === 0 ? 'a slot only' : claims.map(describeClaim).join(', ');
}
