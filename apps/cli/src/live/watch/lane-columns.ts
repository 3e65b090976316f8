import type { Event } from '@signalbox/core';
import { column, cutMiddle, fit, gap, wrap } from '../../terminal/cells.ts';
import { iconCell } from '../../terminal/icon.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { type Look, money, timer } from '../../terminal/look.ts';
import { whatText } from '../../views/lanes-view.ts';
import { eventRows } from './event-rows.ts';
import { commandOf, type ShownLane } from './lane-list.ts';
import { type LaneColumns, laneGrounds, saidRows } from './lane-rows.ts';
import { atEdges, besideAll, exactly } from './panes.ts';
import type { FrameData } from './frame-data.ts';
import { questionRows } from './question-pane.ts';
import { outputRows } from './side-panes.ts';
import type { WatchState } from './watch-state.ts';

/** Cells of a column, with the line beside it. */
const NARROWEST = 40;
const GROUNDS = 3;
/** `turn 12    $0.21`, and the mark of the selected lane. */
const TURN_AND_COST = 20;
const ENDINGS: ReadonlySet<Event['type']> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/** How many lanes stand side by side on a screen of that width. */
export function columnsThatFit(width: number): number {
  return Math.max(1, Math.floor((width + 1) / NARROWEST));
}

/** Lanes side by side: who, what now and on which grounds, what it prints, what it did before. */
export function laneColumnRows(
  lanes: readonly ShownLane[],
  columns: LaneColumns,
  of: Readonly<{ data: FrameData; height: number }>,
  look: Look,
): readonly Line[] {
  const width = Math.floor((look.width - lanes.length + 1) / Math.max(1, lanes.length));
  const drawn = lanes.map((shown) => laneColumn(shown, columns, of, { ...look, width }));
  return besideAll(drawn, { width, rows: of.height });
}

function laneColumn(
  shown: ShownLane,
  columns: LaneColumns,
  { data, height }: Readonly<{ data: FrameData; height: number }>,
  look: Look,
): readonly Line[] {
  const { state } = data;
  const said = saidRows(shown.lane.session?.says ?? '', look.width - 3).map((row) => line('  ', row));
  const head = [titleRow(shown, columns, look), ...exactly(said, 2), rule('', look)];
  const now = nowRows(shown, look);
  const room = height - head.length - now.length - 2;
  const recent = Math.max(0, Math.min(8, Math.floor(room / 3)));
  const command = commandOf(shown);
  const tail = state.outputs.get(command?.id ?? '');
  const output = Math.max(0, room - recent);
  const isAsked = shown.command !== null && shown.command.id === data.question?.record.id;
  const asked = isAsked ? questionRows(data, { height: output, isWhole: false }, look) : null;
  return [
    ...head,
    ...now,
    rule(asked === null ? 'output' : 'approval', look),
    ...exactly(asked ?? outputRows({ tail, command, says: '' }, output, look), output),
    rule('recent', look),
    ...recentRows(shown, state, recent, look),
  ];
}

function titleRow(shown: ShownLane, columns: LaneColumns, look: Look): Line {
  const { lane } = shown;
  const isSelected = columns.selected === lane.id;
  const { turns = 0, costUsd = null } = lane.session ?? {};
  const turn = turns === 0 ? '' : `turn ${turns}`;
  return atEdges(
    line(
      isSelected ? as('bold', '▸') : ' ',
      as(isSelected ? 'bold' : columns.roleOf(shown), cutMiddle(lane.provider, look.width - TURN_AND_COST)),
    ),
    line(muted(turn), muted(money(costUsd).padStart(9)), ' '),
    look.width,
  );
}

function nowRows(shown: ShownLane, look: Look): readonly Line[] {
  const { doing } = shown;
  const time = doing.since === null ? '' : timer(look.now - doing.since);
  const room = Math.max(4, look.width - 5 - time.length);
  const what = doing.id === null ? doing.word : whatText(doing);
  const now = line(iconCell(doing.glance), column(cutMiddle(what, room), room), ' ', muted(time));
  const grounds = [laneGrounds(shown, look), doing.tail?.replace(/^(?:, | +)/, '') ?? '']
    .filter((text) => text !== '')
    .flatMap((text) => wrap(text, look.width - 4))
    .slice(0, GROUNDS)
    .map((text) => line(gap(3), muted(text)));
  return [now, ...exactly(grounds, GROUNDS)];
}

/** What of this lane ended lately, the last one at the bottom. */
function recentRows({ lane }: ShownLane, state: WatchState, most: number, look: Look): readonly Line[] {
  const mine = state.events.filter((event) => {
    if (!ENDINGS.has(event.type) || !('sessionId' in event) || !('provider' in event)) return false;
    if (lane.session === null)
      return event.provider === lane.provider && !state.sessions.has(event.sessionId);
    return event.sessionId === lane.id;
  });
  return eventRows({ ...state, events: mine }, [], most, look, 'short');
}

function rule(title: string, look: Look): Line {
  const text = title === '' ? '' : `─ ${title} `;
  return fit(line(muted(text + '─'.repeat(Math.max(0, look.width - text.length)))), look.width);
}
