import type { CommandRecord } from '@signalbox/core';
import { column, cutMiddle, gap, lineCells } from '../terminal/cells.ts';
import { statusIconOf, iconCell } from '../terminal/icon.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { dateAndTime, type RenderContext, timeOfDay } from '../terminal/render-context.ts';
import { timeOf } from './commands-view.ts';

/** Up to this width the command is shown instead of the date. */
const NARROW = 100;
const PROVIDER = 12;
const STATE = 18;
const TIME = 8;

/** A command that changed its state, and when: rows are printed one by one, so their columns have a fixed width. */
export function changedRow(record: CommandRecord, at: number, render: RenderContext): Line {
  const status = statusIconOf(record);
  const { provider } = record.context;
  const head = line(
    muted(render.width < NARROW ? timeOfDay(at, render) : dateAndTime(at, render)),
    gap(2),
    iconCell(status),
    as('bold', idLabel(record.id, render)),
    gap(2),
    column(provider, render.width === Infinity ? Math.max(PROVIDER, provider.length) : PROVIDER),
    ' ',
    column(status.word, STATE, { role: status.role }),
    column(timeOf(record, render).text, TIME, { role: 'muted', align: 'right' }),
    gap(2),
  );
  const room = Math.max(TIME, render.width - lineCells(head));
  return line(head, render.width === Infinity ? record.title : cutMiddle(record.title, room));
}
