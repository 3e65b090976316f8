import type { Line } from '../../../terminal/line.ts';
import type { RenderContext } from '../../../terminal/render-context.ts';
import { waitTree } from '../../../views/wait-tree.ts';
import { approvalPane, approvalPosition } from './approval-pane.ts';
import { eventRows } from './event-rows.ts';
import type { FrameData, FramePicture } from './frame-data.ts';
import { columnsThatFit, laneColumnRows } from './lane-columns.ts';
import { selectedLane } from './lane-list.ts';
import { laneColumns, laneNotes, laneRow, laneTitles, narrowLaneRow } from './lane-rows.ts';
import { foldedLanes, hiddenLanes, lanesThatFit, laneWindow } from './lane-window.ts';
import { outputPane } from './output-pane.ts';
import { sideBySide, columnsSideBySide, exactly, paneRule } from './panes.ts';
import { leasesPane, waitGraphIn, waitingPane } from './side-panes.ts';

/** With two panes, so that the rows below don't move when an approval arrives. */
const LEAST_LANE_ROWS = 11;
/** Next to columns. */
const MAX_OTHER_LANES = 6;

/** The approval and one row per lane. */
export function narrowLayout(
  { data, lanes, folded, size }: FramePicture,
  render: RenderContext,
): readonly Line[] {
  const { state, ui } = data;
  const question = approvalPane(data, render);
  const columns = laneColumns(lanes, { state, selected: ui.selected });
  const ended = foldedLanes(folded);
  const room = size.height - question.length - ended.length;
  const { shown, hidden } = lanesThatFit(lanes, columns.selected, { rows: room });
  return [
    ...question,
    ...shown.map((lane) => narrowLaneRow(lane, columns, render)),
    ...hiddenLanes(hidden, lanes.length),
    ...ended,
  ];
}

/** Lanes, waiting commands, the approval, output and the last events, one below the other. */
export function stackedLayout(
  { data, lanes, folded, size }: FramePicture,
  render: RenderContext,
): readonly Line[] {
  const { state, ui } = data;
  const waiting = waitingPane(state, 3, render);
  const question = approvalPane(data, render);
  // Lanes never push any part of an approval off the screen.
  const ended = foldedLanes(folded);
  const left = size.height - waiting.length - question.length - ended.length - 2;
  const max = Math.max(1, Math.min(Math.floor(size.height / 3), left));
  const columns = laneColumns(lanes, { state, selected: ui.selected });
  const { shown, hidden } = lanesThatFit(lanes, columns.selected, { rows: max });
  const upper = [
    laneTitles(columns, render),
    ...shown.map((lane) => laneRow(lane, columns, render)),
    ...hiddenLanes(hidden, lanes.length),
    ...ended,
    ...waiting,
    ...question,
  ];
  const least = eventRows(state, ui.filter.terms, { max: 2, render }).length;
  const room = Math.max(0, size.height - upper.length - least);
  const position = { height: room, questionWidth: render.width };
  const lower =
    room > 1 ? outputPane(data, selectedLane(lanes, ui.selected), { size: position, render }) : [];
  // An approval's reasons keep their space, and events get the rest.
  const spare = data.question === null ? 0 : Math.max(0, room - lower.length);
  const events = eventRows(state, ui.filter.terms, { max: 2 + spare, render });
  return [...upper, ...exactly(lower, room + least - events.length), ...events];
}

/**
 * Lanes with their reasons on the left; approval, waiting commands and leases on the right; output and events below.
 */
export function twoPanesLayout(picture: FramePicture, render: RenderContext): readonly Line[] {
  const { data, lanes, size } = picture;
  const { state, ui } = data;
  const right = widthOfRight(size.width);
  const left = size.width - right - 1;
  const max = Math.floor(size.height * 0.5);
  const leftRows = lanesWithReasons(picture, max, { ...render, width: left });
  const rightRows = sideRows(data, { ...render, width: right });
  const rows = Math.min(max, Math.max(LEAST_LANE_ROWS, leftRows.length, rightRows.length));
  const eventCount = Math.max(3, Math.floor(size.height / 6));
  const room = size.height - rows - eventCount - 1;
  return [
    ...sideBySide(leftRows, rightRows, { left, right, rows }),
    ...exactly(
      outputPane(data, selectedLane(lanes, ui.selected), {
        size: { height: room, questionWidth: right },
        render,
      }),
      room,
    ),
    paneRule('Events', '', { width: render.width }),
    ...eventRows(state, ui.filter.terms, { max: eventCount, render }),
  ];
}

export function widthOfRight(width: number): number {
  return Math.floor(width * 0.4);
}

/** The reasons say the state in words, so a lane's row does not. */
function lanesWithReasons(
  { data, lanes, folded }: FramePicture,
  max: number,
  render: RenderContext,
): readonly Line[] {
  const { state, ui } = data;
  const ended = foldedLanes(folded);
  const room = max - 2 - ended.length;
  const each = Math.min(3, Math.max(1, Math.floor(room / Math.max(1, lanes.length))));
  const words = each === 1 ? 'with words' : 'bare';
  const columns = laneColumns(lanes, { state, selected: ui.selected }, { words });
  const { shown, hidden } = laneWindow(lanes, columns.selected, { max: Math.floor(room / each) });
  return [
    paneRule('Lanes', '', { width: render.width }),
    ...shown.flatMap((lane) =>
      [laneRow(lane, columns, render), ...laneNotes(lane, state, { indent: 5 + columns.name, render })].slice(
        0,
        each,
      ),
    ),
    ...hiddenLanes(hidden, lanes.length),
    ...ended,
  ];
}

function sideRows(data: FrameData, render: RenderContext): readonly Line[] {
  return [
    ...approvalPosition(data, render),
    ...waitingPane(data.state, 5, render),
    ...leasesPane(data.state, render),
  ];
}

/** Lanes side by side; below them the approval, the wait tree with the leases, and the events. */
export function columnsLayout(
  { data, lanes, folded, size }: FramePicture,
  render: RenderContext,
): readonly Line[] {
  const { state, ui } = data;
  const columns = laneColumns(lanes, { state, selected: ui.selected });
  const { shown, hidden } = laneWindow(lanes, columns.selected, { max: columnsThatFit(size.width) });
  const others = [
    ...hidden.slice(0, MAX_OTHER_LANES).map((lane) => laneRow(lane, columns, render)),
    ...hiddenLanes(hidden.slice(MAX_OTHER_LANES), lanes.length),
    ...foldedLanes(folded),
  ];
  const below = Math.max(9, Math.floor(size.height / 4));
  const area = size.height - below - others.length;
  const width = thirdOf(size.width);
  const third = { ...render, width };
  const waits = [paneRule('What waits for what', '', { width }), ...waitTree(waitGraphIn(state), third)];
  return [
    ...laneColumnRows(shown, columns, { of: { data, height: area }, render }),
    ...others,
    ...columnsSideBySide(
      [
        approvalPosition(data, third),
        [...waits, ...leasesPane(state, third)],
        [
          paneRule('Events', '', { width }),
          ...eventRows(state, ui.filter.terms, { max: below - 1, render: third }),
        ],
      ],
      { width, rows: below },
    ),
  ];
}

/** Width of each of the three panes below columns. */
export function thirdOf(width: number): number {
  return Math.floor((width - 2) / 3);
}
