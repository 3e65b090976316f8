import type { CommandRecord, PersonQuestion } from '@signalbox/core';
import { fit, gap, lineCells, wrap } from '../../../terminal/cells.ts';
import { idLabel } from '../../../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../../../terminal/line.ts';
import { type RenderContext, plural } from '../../../terminal/render-context.ts';
import { isApprovable } from '../../approval-prompt.ts';
import {
  type ApprovalData,
  approvalReasons,
  approvalView,
  needsSecondKey,
  wants,
} from '../../../views/command/approval-view.ts';
import { callText, callTextRows } from '../../../views/command/call-text.ts';
import { questionText } from '../../../views/command/question-view.ts';
import { shellLineOf } from '../../../runtime/contract/shell-line.ts';
import { previewSummary } from '../../../views/command/preview-view.ts';
import { reasonsWorthShowing } from '../../../views/command/verdict-view.ts';
import type { FrameData } from './frame-data.ts';
import { atEdges, type coverPane, scrolledRows } from './panes.ts';

/** The open approval in a few rows, whether these show all of what would run, and the keys below. */
export type ShortQuestion = Readonly<{ rows: readonly Line[]; whole: boolean; keys: readonly Line[] }>;

/** Its rows besides the call: who asks, why, and the first row of keys. */
const OTHER_ROWS = 3;
const NARROW = 60;

/** At most that many rows; the keys offer no direct approval of a cut call. */
export function shortQuestion(
  question: ApprovalData,
  {
    max,
    later,
    you,
  }: Readonly<{ max: number; /** Whether `N` leaves it for later now. */ later: boolean; you: string }>,
  render: RenderContext,
): ShortQuestion {
  const { record } = question;
  if (record.approval?.question !== undefined)
    return shortPersonQuestion(question, record.approval.question, { max, later, render });
  const call = callText(record, question.preview);
  const rows = callTextRows(call).flatMap((row) => wrap(row, Math.max(10, render.width - 4)));
  const room = Math.max(1, max - OTHER_ROWS);
  const isAskedAgain = (record.approval?.again.length ?? 0) > 0;
  const whole = rows.length <= room && !isAskedAgain;
  return {
    whole,
    rows: [
      headRow(question, render),
      ...rows.slice(0, room).map((row) => fit(line(gap(4), as('bold', row)), render.width)),
      ...(question.preview == null
        ? []
        : [fit(line(gap(4), previewSummary(question.preview)), render.width)]),
      ...reasonRows(question, render),
    ],
    keys: keyRows(keysOf(record, { whole, hidden: rows.length - room, later, you }), render),
  };
}

/** A model's question: its choices take a key each. */
function shortPersonQuestion(
  data: ApprovalData,
  asked: PersonQuestion,
  { max, later, render }: Readonly<{ max: number; later: boolean; render: RenderContext }>,
): ShortQuestion {
  const rows = questionText(asked, render);
  const room = Math.max(1, max - 1);
  const whole = rows.length <= room;
  const { choices, allowText } = asked;
  const keys = [
    ...(whole ? [] : [`v shows it in full (${rows.length - room} more rows)`]),
    ...(whole && choices.length > 0 ? [`1-${choices.length} choose`] : []),
    ...(allowText ? ['t type an answer'] : []),
    'd decline',
    ...(later ? ['N later'] : []),
    '+ 5 min',
  ];
  return { whole, rows: [headRow(data, render), ...rows.slice(0, room)], keys: keyRows(keys, render) };
}

/**
 * The open approval with its reasons in that many rows, for otherwise empty space; null if none is open.
 *
 * @param of.isWhole Whether the asker and the whole call are already in its pane: then only the reasons.
 */
export function questionRows(
  { question }: Pick<FrameData, 'question'>,
  { height, isWhole }: Readonly<{ height: number; isWhole: boolean }>,
  render: RenderContext,
): readonly Line[] | null {
  if (question === null) return null;
  const block = isWhole ? approvalReasons(question, render) : approvalView(question, render);
  const rows = block.map((row) => fit(row, render.width));
  const more = rows.length - height;
  if (more <= 0) return rows;
  const cut = line('  ', as('accent', 'v'), muted(` shows ${plural(more + 1, 'more row')}`));
  return [...rows.slice(0, Math.max(0, height - 1)), cut];
}

/** The full-screen approval with all its reasons, and the text being typed below it. */
export function wholeQuestion(
  question: ApprovalData,
  prompt: readonly Line[],
  { of, render }: Readonly<{ of: Readonly<{ scroll: number; height: number }>; render: RenderContext }>,
): ReturnType<typeof coverPane> {
  const block = approvalView(question, render).map((row) => fit(row, render.width));
  const { rows, position, scrollRange } = scrolledRows(block, {
    scroll: of.scroll,
    height: Math.max(1, of.height - prompt.length - 1),
  });
  const more = position === '' ? '' : ` rows ${position}, ↑↓ shows the others`;
  return { rows: [...rows, fit(line(as('warn', more)), render.width), ...prompt], scrollRange };
}

/** `! p9ze deepseek: Delete 18 files under docs/Guides                    warning` */
function headRow({ record, preview }: ApprovalData, render: RenderContext): Line {
  const level = record.verdict?.level ?? 'warning';
  if (record.approval?.question !== undefined) {
    const { provider } = record.context;
    const who = line(as('asks', ' ? '), idLabel(record.id, render), ' ', as('bold', provider), ' asks you');
    return atEdges(who, line(muted('question '), ' '), { width: render.width });
  }
  return atEdges(
    line(
      as('asks', ' ! '),
      idLabel(record.id, render),
      ' ',
      as('bold', record.context.provider),
      preview == null ? ` ${wants(record)} to ${callText(record).wantsTo}` : `: ${preview.title}`,
    ),
    line(approvalCount(record), as(level, level), ' '),
    { width: render.width },
  );
}

/** `1 of 2: ana  `, if one approval is not enough. */
function approvalCount(record: CommandRecord): Line {
  const { approvers = 1 } = record.approval ?? {};
  const names = grantsOf(record).map(({ by }) => by.name);
  if (approvers < 2) return [];
  return line(
    as('warn', `${names.length} of ${approvers}${names.length === 0 ? '' : `: ${names.join(', ')}`}`),
    '  ',
  );
}

function grantsOf({ approval }: CommandRecord): NonNullable<CommandRecord['approval']>['grants'] {
  return approval?.grants ?? [];
}

/** Why approval is needed; the full view shows what does not fit. */
function reasonRows({ record: { verdict, ruling } }: ApprovalData, render: RenderContext): readonly Line[] {
  const reasons = reasonsWorthShowing(verdict).map(({ text }) => text);
  const shown = reasons.length > 0 ? reasons.join('; ') : (ruling?.reason ?? '');
  const [first = '', ...others] = wrap(shown, Math.max(10, render.width - 4));
  const rows = others.length === 0 ? [first] : [first, others.join(' ')];
  return rows.map((row) => fit(line(gap(4), muted(row)), render.width));
}

/** Only keys that apply to this call. */
function keysOf(
  record: CommandRecord,
  { whole, hidden, later, you }: Readonly<{ whole: boolean; hidden: number; later: boolean; you: string }>,
): readonly string[] {
  const canApprove = isApprovable(record) && !grantsOf(record).some(({ by }) => by.name === you);
  const cut = hidden > 0 ? `shows it in full (${hidden} more rows)` : 'shows why it needs approval again';
  return [
    ...(whole ? (canApprove ? ['a approve'] : []) : [`a ${cut}`]),
    'd deny',
    ...(shellLineOf(record) === undefined ? [] : ['m modify']),
    ...(whole ? ['v view'] : []),
    ...(whole && !needsSecondKey(record) ? ['r remember'] : []),
    ...(later ? ['N later'] : []),
    '+ 5 min',
  ];
}

/** Keys with their labels, in as many rows as they need. */
function keyRows(keys: readonly string[], render: RenderContext): readonly Line[] {
  const indent = gap(render.width < NARROW ? 1 : 4);
  const rows: Line[] = [];
  for (const key of keys) {
    const shown = line(as('accent', key.slice(0, 1)), key.slice(1));
    const last = rows.at(-1);
    const longer = last === undefined ? null : line(last, '  ', shown);
    if (longer !== null && lineCells(longer) <= render.width) rows[rows.length - 1] = longer;
    else rows.push(line(indent, shown));
  }
  return rows.map((row) => fit(row, render.width));
}
