import type { Event } from '@signalbox/core';
import { column, cutMiddle, fit, gap, wrap } from '../../../terminal/cells.ts';
import { iconCell } from '../../../terminal/icon.ts';
import { as, type Line, line, muted } from '../../../terminal/line.ts';
import { type RenderContext, money, timer } from '../../../terminal/render-context.ts';
import { whatText } from '../../../views/lanes-view.ts';
import { eventRows } from './event-rows.ts';
import { commandOf, type ShownLane } from './lane-list.ts';
import { type LaneColumns, laneReasons, modelTextRows } from './lane-rows.ts';
import { atEdges, columnsSideBySide, exactly } from './panes.ts';
import type { FrameData } from './frame-data.ts';
import { questionRows } from './question-pane.ts';
import { outputRows } from './side-panes.ts';
import type { WatchState } from './watch-state.ts';

/** Minimum cells of a column, including its border. */
const NARROWEST = 40;
const REASON_ROWS = 3;
/** `turn 12    $0.21`, and the mark of the selected lane. */
const TURN_AND_COST = 20;
const ENDINGS: ReadonlySet<Event['type']> = new Set([
  'command_completed',
  'command_failed',
  'command_denied',
  'command_cancelled',
]);

/** How many lanes fit side by side on a screen of that width. */
export function columnsThatFit(width: number): number {
  return Math.max(1, Math.floor((width + 1) / NARROWEST));
}

/** Lanes side by side: provider, current command with its reasons, output, earlier commands. */
export function laneColumnRows(
  lanes: readonly ShownLane[],
  columns: LaneColumns,
  { of, render }: Readonly<{ of: Readonly<{ data: FrameData; height: number }>; render: RenderContext }>,
): readonly Line[] {
  const width = Math.floor((render.width - lanes.length + 1) / Math.max(1, lanes.length));
  const drawn = lanes.map((shown) => laneColumn(shown, { ...of, columns }, { ...render, width }));
  return columnsSideBySide(drawn, { width, rows: of.height });
}

function laneColumn(
  shown: ShownLane,
  { columns, data, height }: Readonly<{ columns: LaneColumns; data: FrameData; height: number }>,
  render: RenderContext,
): readonly Line[] {
  const { state } = data;
  const textRows = modelTextRows(shown.lane.session?.says ?? '', render.width - 3).map((row) =>
    line('  ', row),
  );
  const head = [titleRow(shown, columns, render), ...exactly(textRows, 2), rule('', render)];
  const now = nowRows(shown, render);
  const room = height - head.length - now.length - 2;
  const recent = Math.max(0, Math.min(8, Math.floor(room / 3)));
  const command = commandOf(shown);
  const tail = state.outputs.get(command?.id ?? '');
  const output = Math.max(0, room - recent);
  const isAsked = shown.command !== null && shown.command.id === data.question?.record.id;
  const asked = isAsked ? questionRows(data, { height: output, isWhole: false }, render) : null;
  return [
    ...head,
    ...now,
    rule(asked === null ? 'output' : 'approval', render),
    ...exactly(asked ?? outputRows({ tail, command, modelText: '' }, output, render), output),
    rule('recent', render),
    ...recentRows(shown, state, { max: recent, render }),
  ];
}

function titleRow(shown: ShownLane, columns: LaneColumns, render: RenderContext): Line {
  const { lane } = shown;
  const isSelected = columns.selected === lane.id;
  const { turns = 0, costUsd = null } = lane.session ?? {};
  const turn = turns === 0 ? '' : `turn ${turns}`;
  return atEdges(
    line(
      isSelected ? as('bold', '▸') : ' ',
      as(isSelected ? 'bold' : columns.roleOf(shown), cutMiddle(lane.provider, render.width - TURN_AND_COST)),
    ),
    line(muted(turn), muted(money(costUsd).padStart(9)), ' '),
    { width: render.width },
  );
}

function nowRows(shown: ShownLane, render: RenderContext): readonly Line[] {
  const { doing } = shown;
  const time = doing.since === null ? '' : timer(render.now - doing.since);
  const room = Math.max(4, render.width - 5 - time.length);
  const what = doing.id === null ? doing.word : whatText(doing);
  const now = line(iconCell(doing.status), column(cutMiddle(what, room), room), ' ', muted(time));
  const reasonRows = [laneReasons(shown, render), doing.tail?.replace(/^(?:, | +)/, '') ?? '']
    .filter((text) => text !== '')
    .flatMap((text) => wrap(text, render.width - 4))
    .slice(0, REASON_ROWS)
    .map((text) => line(gap(3), muted(text)));
  return [now, ...exactly(reasonRows, REASON_ROWS)];
}

/** Recently ended commands of this lane, the last one at the bottom. */
function recentRows(
  { lane }: ShownLane,
  state: WatchState,
  { max, render }: Readonly<{ max: number; render: RenderContext }>,
): readonly Line[] {
  const mine = state.events.filter((event) => {
    if (!ENDINGS.has(event.type) || !('sessionId' in event) || !('provider' in event)) return false;
    if (lane.session === null)
      return event.provider === lane.provider && !state.sessions.has(event.sessionId);
    return event.sessionId === lane.id;
  });
  return eventRows({ ...state, events: mine }, [], { max, render, form: 'short' });
}

function rule(title: string, render: RenderContext): Line {
  const text = title === '' ? '' : `─ ${title} `;
  return fit(line(muted(text + '─'.repeat(Math.max(0, render.width - text.length)))), render.width);
}
