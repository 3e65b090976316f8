import type { CommandRecord } from '@signalbox/core';
import { glanceOf } from '../terminal/icon.ts';
import { idLabels } from '../terminal/id-labels.ts';
import { as, type Line, line, muted, type Piece } from '../terminal/line.ts';
import { dateAndTime, type Look, timer } from '../terminal/look.ts';
import { type Cell, type Column, tableLines } from '../terminal/table.ts';

/** Commands, one a row, as `signalbox commands` lists them. */
export function commandsView(records: readonly CommandRecord[], look: Look): readonly Line[] {
  if (records.length === 0) return [line('No commands.')];
  const label = idLabels(
    records.map(({ id }) => id),
    look,
  );
  const head = [{ title: '  ' }, { title: 'ID' }, { title: 'PROVIDER' }];
  return commandLines(head, 'STATE', records, look, (record) => {
    const glance = glanceOf(record);
    return [as(glance.role, glance.icon), label(record.id), record.context.provider];
  });
}

/** The same with when it was, for `signalbox history`. */
export function historyView(records: readonly CommandRecord[], look: Look): readonly Line[] {
  if (records.length === 0) return [line('No commands that have ended.')];
  const label = idLabels(
    records.map(({ id }) => id),
    look,
  );
  const head = [{ title: 'WHEN' }, { title: '  ' }, { title: 'ID' }, { title: 'PROVIDER' }];
  return commandLines(head, 'OUTCOME', records, look, (record) => {
    const glance = glanceOf(record);
    return [
      muted(dateAndTime(record.submittedAt, look).slice(look.width < 100 ? 5 : 0)),
      as(glance.role, glance.icon),
      label(record.id),
      record.context.provider,
    ];
  });
}

/** Where nothing is cut, the command stands last: one long line must not push off what became of all others. */
function commandLines(
  head: readonly Column[],
  state: string,
  records: readonly CommandRecord[],
  look: Look,
  headOf: (record: CommandRecord) => readonly Cell[],
): readonly Line[] {
  const command: Column = { title: 'COMMAND', gives: 'middle' };
  const facts: readonly Column[] = [{ title: state }, { title: 'TIME', align: 'right' }];
  const isCut = look.width !== Infinity;
  return tableLines(
    isCut ? [...head, command, ...facts] : [...head, ...facts, command],
    records.map((record) => {
      const told = [stateCell(record), timeOf(record, look)];
      return isCut ? [...headOf(record), record.title, ...told] : [...headOf(record), ...told, record.title];
    }),
    look,
  );
}

function stateCell(record: CommandRecord): Piece {
  const glance = glanceOf(record);
  return as(glance.role, glance.word);
}

/** How long it has been where it is, or how long it ran. */
export function timeOf(record: CommandRecord, look: Look): Piece {
  if (record.result !== null) {
    // Nobody saw when a lost one stopped.
    const isUnknown = record.startedAt === null || record.result.outcome.kind === 'lost';
    return muted(isUnknown ? '–' : timer(record.result.durationMs));
  }
  const since =
    record.state === 'running'
      ? record.startedAt
      : record.state === 'queued'
        ? record.queuedAt
        : (record.approval?.requestedAt ?? record.submittedAt);
  return muted(timer(look.now - (since ?? record.submittedAt)));
}
