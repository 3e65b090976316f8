import { describeClaim } from '@signalbox/core';
import { cells, column, cutMiddle, fit, gap, lineCells, wrap } from '../screen/cells.ts';
import { iconCell } from '../screen/icon.ts';
import { as, type Line, line, muted, printed, type Role } from '../screen/line.ts';
import { type Look, money, timer } from '../screen/look.ts';
import { timeLeft } from '../views/time-left.ts';
import { commandOf, selectedLane, type ShownLane } from './lane-list.ts';
import { whatText } from '../views/lanes-view.ts';
import { atEdges, dimmed, rightAligned } from './panes.ts';
import type { WatchState } from './watch-state.ts';

const LANE_ROLES: readonly Role[] = ['lane1', 'lane2', 'lane3', 'lane4', 'lane5', 'lane6'];
/** What a led session does while it has no command. */
const AT_WORK: ReadonlySet<string> = new Set(['thinking', 'retrying']);
/** Of what models say, below a lane. */
const SAID_ROWS = 2;
const WORD = 6;
const TIME = 8;
const TURN = 5;
const COST = 8;

/** What lanes share on one screen. */
export type LaneColumns = Readonly<{
  name: number;
  /** Cells of the word that says its state. */
  word: number;
  selected: string | null;
  roleOf(lane: ShownLane): Role;
  /** Whether a row says the state in words; else the rows below it do. */
  hasWords: boolean;
  /** Whether any lane is led by a model, which takes turns and costs money. */
  hasTurns: boolean;
}>;

export function laneColumns(
  lanes: readonly ShownLane[],
  { state, selected }: Readonly<{ state: WatchState; selected: string | null }>,
  words: 'with words' | 'bare' = 'with words',
): LaneColumns {
  const order = [...state.run.lanes.keys()];
  return {
    name: Math.min(14, Math.max(11, ...lanes.map(({ lane }) => cells(lane.provider)))),
    word: Math.max(WORD, ...lanes.map(({ doing }) => doing.word.length)),
    selected: selectedLane(lanes, selected)?.lane.sessionId ?? null,
    roleOf: ({ lane }) => LANE_ROLES[order.indexOf(lane.sessionId) % LANE_ROLES.length] ?? 'text',
    hasWords: words === 'with words',
    hasTurns: lanes.some(({ lane }) => lane.turn > 0 || lane.costUsd !== null),
  };
}

/** `    LANE        STATE  NOW                         TIME  TURN    COST` */
export function laneTitles({ name, word, hasTurns }: LaneColumns, look: Look): Line {
  const head = line(gap(4), column('LANE', name), ' ', column('STATE', word), ' NOW');
  const tail = line(
    rightAligned('TIME', TIME),
    hasTurns ? line(rightAligned('TURN', TURN + 1), rightAligned('COST', COST)) : [],
  );
  return atEdges(dimmed(head), tail, look.width);
}

export function laneRow(shown: ShownLane, columns: LaneColumns, look: Look): Line {
  const { lane, doing } = shown;
  const isSelected = columns.selected === lane.sessionId;
  const head = line(
    isSelected ? as('bold', '▸') : ' ',
    iconCell(doing.glance),
    column(lane.provider, columns.name, { role: isSelected ? 'bold' : columns.roleOf(shown), cut: 'middle' }),
    ' ',
    columns.hasWords ? line(column(doing.word, columns.word, { role: doing.glance.role }), ' ') : [],
  );
  const tail = line(
    rightAligned(doing.since === null ? '' : timer(look.now - doing.since), TIME),
    columns.hasTurns
      ? line(
          rightAligned(lane.turn === 0 ? '' : String(lane.turn), TURN + 1),
          rightAligned(money(lane.costUsd), COST),
        )
      : [],
  );
  const room = Math.max(0, look.width - lineCells(head) - lineCells(tail));
  // Whom it waits for is shown where both fit; the pane of those who wait says it always.
  const whole = columns.hasWords || !AT_WORK.has(doing.word) ? whatText(doing) : doing.word;
  const what = whole + (doing.tail !== undefined && cells(whole + doing.tail) <= room ? doing.tail : '');
  return fit(line(head, column(cutMiddle(what, room), room), tail), look.width);
}

/** What a wide screen says below a lane's row: grounds and the last row that was printed, or what its model said last. */
export function laneNotes(shown: ShownLane, state: WatchState, indent: number, look: Look): readonly Line[] {
  const room = look.width - indent;
  const said = saidRows(shown.lane.says, room);
  const notes =
    shown.command === null && said.length > 0
      ? said
      : [line(muted(laneGrounds(shown, state, look))), lastWords(shown, state, said.at(-1) ?? [])];
  return notes
    .filter((row) => lineCells(row) > 0)
    .map((row) => fit(line(gap(indent), fit(row, room)), look.width));
}

/** One row for screens below 60 cells. */
export function narrowLaneRow({ lane, doing }: ShownLane, { selected }: LaneColumns, look: Look): Line {
  const mark = selected === lane.sessionId ? as('bold', '▸') : ' ';
  return fit(line(mark, iconCell(doing.glance), `${whatText(doing)} `, muted(lane.provider)), look.width);
}

/** On which grounds its command runs, waits or asks. */
export function laneGrounds({ command, doing }: ShownLane, state: WatchState, look: Look): string {
  if (command === null) return doing.word;
  const detail = state.details.get(command.id);
  const claims = detail?.claims.map(describeClaim).join(', ') ?? '';
  switch (command.state) {
    case 'asks': {
      const asked = detail?.asked;
      if (asked === null || asked === undefined) return 'needs approval';
      return `needs approval, ${timeLeft(asked.expiresAt, look.now)} · ${asked.reason}`;
    }
    case 'runs':
      return `running${claims === '' ? '' : ` · holds ${claims}`}`;
    case 'waits':
      return `waits${claims === '' ? '' : ` for ${claims}`}`;
    case 'submitted':
      return 'checking';
  }
}

/** The last rows of what a model said. */
export function saidRows(says: string, width: number): readonly Line[] {
  const rows = says.split('\n').filter((text) => text.trim() !== '');
  return rows
    .slice(-SAID_ROWS)
    .flatMap((text) => wrap(text.trim(), Math.max(10, width)))
    .slice(-SAID_ROWS)
    .map((text) => line(muted(text)));
}

/** @param said What its model said last, for a command that prints nothing. */
function lastWords(shown: ShownLane, state: WatchState, said: Line): Line {
  const id = commandOf(state, shown);
  const output = id === null ? undefined : state.outputs.get(id);
  const row = output?.rows.findLast(({ text }) => text.trim() !== '');
  if (row !== undefined && shown.command !== null) return line(printed(row.text));
  if (shown.command !== null && said.length > 0) return said;
  const last = state.lastOf.get(shown.lane.sessionId);
  if (last === undefined) return [];
  if (shown.doing.id === last.id) return line(muted(last.note));
  const note = last.note === '' ? '' : `: ${last.note}`;
  return line(muted('last '), as(last.glance.role, last.glance.icon), ' ', muted(`${last.title}${note}`));
}
