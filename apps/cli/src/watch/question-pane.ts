import { cells, fit, gap, wrap } from '../screen/cells.ts';
import { idLabel } from '../screen/id-labels.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { clockTime, type Look } from '../screen/look.ts';
import { type ApprovalData, approvalView } from '../views/approval-view.ts';
import { callText } from '../views/call-text.ts';
import { atEdges, scrolledRows } from './panes.ts';

/** The open question in a few rows, and whether all of what would run stands in them. */
export type ShortQuestion = Readonly<{ rows: readonly Line[]; whole: boolean }>;

/** The rows of it that are no call: who asks, why, and the keys. */
const OTHER_ROWS = 3;
const NARROW = 60;

/** At most so many rows; the keys offer no plain yes to what was cut. */
export function shortQuestion(question: ApprovalData, most: number, look: Look): ShortQuestion {
  const { record } = question;
  const call = callText(record, question.before);
  const text = call.kind === 'line' ? [call.text] : [call.path, ...call.rows];
  const rows = text.flatMap((row) => wrap(row, Math.max(10, look.width - 4)));
  const room = Math.max(1, most - OTHER_ROWS);
  const isAskedAgain = (record.approval?.again.length ?? 0) > 0;
  const whole = rows.length <= room && !isAskedAgain;
  return {
    whole,
    rows: [
      headRow(question, look),
      ...rows.slice(0, room).map((row) => fit(line(gap(4), as('bold', row)), look.width)),
      reasonRow(question, look),
      fit(keysRow(whole, rows.length - room, look), look.width),
    ],
  };
}

/** The question with all its grounds over the whole screen, and what is being typed below it. */
export function wholeQuestion(
  question: ApprovalData,
  prompt: readonly Line[],
  of: Readonly<{ scroll: number; height: number }>,
  look: Look,
): readonly Line[] {
  const block = approvalView(question, look).flatMap((row) => [fit(row, look.width)]);
  const room = Math.max(1, of.height - prompt.length - 1);
  const { rows, place } = scrolledRows(block, of.scroll, room);
  const more = place === '' ? '' : `rows ${place}, ↑↓ shows the others`;
  return [...rows, fit(line(as('warn', more === '' ? '' : ` ${more}`)), look.width), ...prompt];
}

function headRow({ record }: ApprovalData, look: Look): Line {
  const { approval, verdict, context } = record;
  const level = verdict?.level ?? 'warning';
  const left = approval === null ? 0 : approval.expiresAt - look.now;
  return atEdges(
    line(
      as('asks', ' ! '),
      idLabel(record.id, look),
      ' ',
      as('bold', context.provider),
      '  ',
      as(level, level),
    ),
    line(as(left < 60_000 ? 'danger' : 'warn', `${clockTime(left)} left `)),
    look.width,
  );
}

function reasonRow({ record }: ApprovalData, look: Look): Line {
  const reasons = record.verdict?.reasons.map(({ text }) => text).join('; ') ?? '';
  const shown = cells(reasons) > 0 ? reasons : (record.ruling?.reason ?? '');
  return fit(line(gap(4), muted(shown)), look.width);
}

function keysRow(whole: boolean, hidden: number, look: Look): Line {
  const cut = hidden > 0 ? `shows it all (${hidden} rows more)` : 'shows why it is asked again';
  const keys = whole
    ? ['a approve', 'd deny', 'm modify', 'v view', 'r remember']
    : [`a ${cut}`, 'd deny', 'm modify'];
  const parts = keys.map((key) => line(as('accent', key.slice(0, 1)), key.slice(1)));
  return line(
    gap(look.width < NARROW ? 1 : 4),
    ...parts.flatMap((part, i) => (i === 0 ? [part] : ['  ', part])),
  );
}
