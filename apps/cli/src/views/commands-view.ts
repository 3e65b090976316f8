import type { CommandRecord } from '@signalbox/core';
import { statusIconOf } from '../terminal/icon.ts';
import { idLabels } from '../terminal/id-labels.ts';
import { as, type Line, line, muted, type Piece } from '../terminal/line.ts';
import { dateAndTime, type RenderContext, timer } from '../terminal/render-context.ts';
import { type Cell, type Column, tableLines } from '../terminal/table.ts';

/** Commands, one per row, as `signalbox commands` lists them. */
export function commandsView(records: readonly CommandRecord[], render: RenderContext): readonly Line[] {
  if (records.length === 0) return [line('No commands.')];
  const label = idLabels(
    records.map(({ id }) => id),
    render,
  );
  const head = [{ title: '  ' }, { title: 'ID' }, { title: 'PROVIDER' }];
  return commandLines(head, 'STATE', {
    records,
    render,
    headOf: (record) => {
      const status = statusIconOf(record);
      return [as(status.role, status.icon), label(record.id), record.context.provider];
    },
  });
}

/** The same with times, for `signalbox history`. */
export function historyView(records: readonly CommandRecord[], render: RenderContext): readonly Line[] {
  if (records.length === 0) return [line('No finished commands.')];
  const label = idLabels(
    records.map(({ id }) => id),
    render,
  );
  const head = [{ title: 'WHEN' }, { title: '  ' }, { title: 'ID' }, { title: 'PROVIDER' }];
  return commandLines(head, 'OUTCOME', {
    records,
    render,
    headOf: (record) => {
      const status = statusIconOf(record);
      return [
        muted(dateAndTime(record.submittedAt, render).slice(render.width < 100 ? 5 : 0)),
        as(status.role, status.icon),
        label(record.id),
        record.context.provider,
      ];
    },
  });
}

/** Without cutting, the command comes last: one long line must not push the other outcomes away. */
function commandLines(
  head: readonly Column[],
  state: string,
  {
    records,
    render,
    headOf,
  }: Readonly<{
    records: readonly CommandRecord[];
    render: RenderContext;
    headOf: (record: CommandRecord) => readonly Cell[];
  }>,
): readonly Line[] {
  const command: Column = { title: 'COMMAND', gives: 'middle' };
  const facts: readonly Column[] = [{ title: state }, { title: 'TIME', align: 'right' }];
  const isCut = render.width !== Infinity;
  return tableLines(
    isCut ? [...head, command, ...facts] : [...head, ...facts, command],
    records.map((record) => {
      const reported = [stateCell(record), timeOf(record, render)];
      return isCut
        ? [...headOf(record), record.title, ...reported]
        : [...headOf(record), ...reported, record.title];
    }),
    render,
  );
}

function stateCell(record: CommandRecord): Piece {
  const status = statusIconOf(record);
  return as(status.role, status.word);
}

/** How long it has been in its state, or how long it ran. */
export function timeOf(record: CommandRecord, render: RenderContext): Piece {
  if (record.result !== null) {
    // When a lost command stopped is unknown.
    const isUnknown = record.startedAt === null || record.result.outcome.kind === 'lost';
    return muted(isUnknown ? '–' : timer(record.result.durationMs));
  }
  const since =
    record.state === 'running'
      ? record.startedAt
      : record.state === 'queued'
        ? record.queuedAt
        : (record.approval?.requestedAt ?? record.submittedAt);
  return muted(timer(render.now - (since ?? record.submittedAt)));
}
