import { STATE_WORDS } from '@signalbox/api';
import { describeClaim } from '@signalbox/core';
import { cells, column, cutMiddle, fit, gap, lineCells, spread, wrap } from '../../../terminal/cells.ts';
import { iconOfEnding, iconCell } from '../../../terminal/icon.ts';
import { as, type Line, line, muted, printed, type TextRole } from '../../../terminal/line.ts';
import { type RenderContext, money, timer } from '../../../terminal/render-context.ts';
import { timeLeft } from '../../../views/command/time-left.ts';
import { commandOf, lanesIn, selectedLane, type ShownLane } from './lane-list.ts';
import { whatText } from '../../../views/lanes-view.ts';
import { atEdges, dimmed, rightAligned } from './panes.ts';
import type { WatchState } from './watch-state.ts';

const LANE_ROLES: readonly TextRole[] = ['lane1', 'lane2', 'lane3', 'lane4', 'lane5', 'lane6'];
/** States of a session that runs no command. */
const AT_WORK: ReadonlySet<string> = new Set(['thinking', 'retrying', 'rests']);
/** Rows of a model's words below a lane. */
const MODEL_TEXT_ROWS = 2;
const WORD = 6;
const TIME = 8;
const TURN = 5;
const COST = 8;

/** Widths that lanes share on one screen. */
export type LaneColumns = Readonly<{
  name: number;
  /** Cells of the state word. */
  word: number;
  selected: string | null;
  roleOf(lane: ShownLane): TextRole;
  /** Whether rows show the state in words; otherwise the rows below do. */
  hasWords: boolean;
  /** Whether any lane has a model, which takes turns and costs money. */
  hasTurns: boolean;
}>;

export function laneColumns(
  lanes: readonly ShownLane[],
  { state, selected }: Readonly<{ state: WatchState; selected: string | null }>,
  { words = 'with words' }: Readonly<{ words?: 'with words' | 'bare' }> = {},
): LaneColumns {
  const order = lanesIn(state).map(({ id }) => id);
  return {
    name: Math.min(14, Math.max(11, ...lanes.map(({ lane }) => cells(lane.provider)))),
    word: Math.max(WORD, ...lanes.map(({ doing }) => doing.word.length)),
    selected: selectedLane(lanes, selected)?.lane.id ?? null,
    roleOf: ({ lane }) => LANE_ROLES[order.indexOf(lane.id) % LANE_ROLES.length] ?? 'text',
    hasWords: words === 'with words',
    hasTurns: lanes.some(({ lane }) => lane.session !== null),
  };
}

/** `    LANE        STATE  NOW                         TIME  TURN    COST` */
export function laneTitles({ name, word, hasTurns }: LaneColumns, render: RenderContext): Line {
  const head = line(gap(4), column('LANE', name), ' ', column('STATE', word), ' NOW');
  const tail = line(
    rightAligned('TIME', TIME),
    hasTurns ? line(rightAligned('TURN', TURN + 1), rightAligned('COST', COST)) : [],
  );
  return atEdges(dimmed(head), tail, { width: render.width });
}

export function laneRow(shown: ShownLane, columns: LaneColumns, render: RenderContext): Line {
  const { lane, doing } = shown;
  const isSelected = columns.selected === lane.id;
  const { turns = 0, costUsd = null } = lane.session ?? {};
  const head = line(
    isSelected ? as('bold', '▸') : ' ',
    iconCell(doing.status),
    column(lane.provider, columns.name, { role: isSelected ? 'bold' : columns.roleOf(shown), cut: 'middle' }),
    ' ',
    columns.hasWords ? line(column(doing.word, columns.word, { role: doing.status.role }), ' ') : [],
  );
  const tail = line(
    rightAligned(doing.since === null ? '' : timer(render.now - doing.since), TIME),
    columns.hasTurns
      ? line(rightAligned(turns === 0 ? '' : String(turns), TURN + 1), rightAligned(money(costUsd), COST))
      : [],
  );
  const room = Math.max(0, render.width - lineCells(head) - lineCells(tail));
  // The blocker is shown if both fit; the waiting pane always shows it.
  const whole = columns.hasWords || !AT_WORK.has(doing.word) ? whatText(doing) : doing.word;
  const after = doing.tail !== undefined && cells(whole + doing.tail) <= room ? doing.tail : '';
  return spread(line(head, cutMiddle(whole, room), muted(after)), tail, { width: render.width });
}

/** Rows below a lane's row on a wide screen: reasons and the last row of output, or its model's last words. */
export function laneNotes(
  shown: ShownLane,
  state: WatchState,
  { indent, render }: Readonly<{ indent: number; render: RenderContext }>,
): readonly Line[] {
  const room = render.width - indent;
  const lastText = modelTextRows(shown.lane.session?.says ?? '', room);
  const notes =
    shown.command === null && lastText.length > 0
      ? lastText
      : [line(muted(laneReasons(shown, render))), lastWords(shown, lastText.at(-1) ?? [], state)];
  return notes
    .filter((row) => lineCells(row) > 0)
    .map((row) => fit(line(gap(indent), fit(row, room)), render.width));
}

/** One row for screens below 60 cells. */
export function narrowLaneRow(
  { lane, doing }: ShownLane,
  { selected }: LaneColumns,
  render: RenderContext,
): Line {
  const mark = selected === lane.id ? as('bold', '▸') : ' ';
  return fit(line(mark, iconCell(doing.status), `${whatText(doing)} `, muted(lane.provider)), render.width);
}

/** Why its command runs, waits or needs approval. */
export function laneReasons({ command, doing }: ShownLane, render: RenderContext): string {
  if (command === null) return doing.word;
  const claims = command.claims.map(describeClaim).join(', ');
  switch (command.state) {
    case 'awaiting_approval': {
      const { expiresAt, askedWhy } = command;
      const word = STATE_WORDS.awaiting_approval.toLowerCase();
      if (expiresAt === null) return word;
      return `${word}, ${timeLeft(expiresAt, render.now)} · ${askedWhy ?? ''}`;
    }
    case 'running':
      return `running${claims === '' ? '' : ` · holds ${claims}`}`;
    case 'queued':
      return `waiting${claims === '' ? '' : ` for ${claims}`}`;
    case 'classified':
      return 'judging';
    case 'submitted':
    case 'approved':
    case 'done':
      return 'checking';
  }
}

/** The last rows of a model's words. */
export function modelTextRows(says: string, width: number): readonly Line[] {
  const rows = says.split('\n').filter((text) => text.trim() !== '');
  return rows
    .slice(-MODEL_TEXT_ROWS)
    .flatMap((text) => wrap(text.trim(), Math.max(10, width)))
    .slice(-MODEL_TEXT_ROWS)
    .map((text) => line(muted(text)));
}

/** @param lastText The last words of its model, for a command that prints nothing. */
function lastWords(shown: ShownLane, lastText: Line, { outputs }: WatchState): Line {
  const output = outputs.get(commandOf(shown)?.id ?? '');
  const row = output?.rows.findLast(({ text }) => text.trim() !== '');
  if (row !== undefined && shown.command !== null) return line(printed(row.text));
  if (shown.command !== null && lastText.length > 0) return lastText;
  const { last } = shown.lane;
  if (last === null) return [];
  const note = last.message ?? '';
  if (shown.doing.id === last.id) return line(muted(note));
  const { role, icon } = iconOfEnding(last);
  return line(muted('last '), as(role, icon), ' ', muted(`${last.title}${note === '' ? '' : `: ${note}`}`));
}
