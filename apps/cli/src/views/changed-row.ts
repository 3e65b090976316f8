import type { CommandRecord } from '@signalbox/core';
import { column, cutMiddle, gap, lineCells } from '../terminal/cells.ts';
import { glanceOf, iconCell } from '../terminal/icon.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import { dateAndTime, type Look, timeOfDay } from '../terminal/look.ts';
import { timeOf } from './commands-view.ts';

/** Screens where what a command is has more use for the cells than the day has. */
const NARROW = 100;
const PROVIDER = 12;
const STATE = 18;
const TIME = 8;

/** A command that stands elsewhere now, and since when: rows that come one by one, so their columns are of fixed width. */
export function changedRow(record: CommandRecord, at: number, look: Look): Line {
  const glance = glanceOf(record);
  const { provider } = record.context;
  const head = line(
    muted(look.width < NARROW ? timeOfDay(at, look) : dateAndTime(at, look)),
    gap(2),
    iconCell(glance),
    as('bold', idLabel(record.id, look)),
    gap(2),
    column(provider, look.width === Infinity ? Math.max(PROVIDER, provider.length) : PROVIDER),
    ' ',
    column(glance.word, STATE, { role: glance.role }),
    column(timeOf(record, look).text, TIME, { role: 'muted', align: 'right' }),
    gap(2),
  );
  const room = Math.max(TIME, look.width - lineCells(head));
  return line(head, look.width === Infinity ? record.title : cutMiddle(record.title, room));
}
