import { as, BLANK, type Line, line, muted } from '../screen/line.ts';
import { type Look, timer } from '../screen/look.ts';
import type { ApprovalData } from '../views/approval-view.ts';
import { waitTree } from '../views/wait-tree.ts';
import { fit } from '../screen/cells.ts';
import { approvalPane, approvalPlace, isWholeInPane } from './approval-pane.ts';
import { eventRows } from './event-rows.ts';
import type { FrameData } from './frame-data.ts';
import { footerRows, headerRow, helpRows, newsRow } from './frame-edges.ts';
import { laneList, type ShownLane } from './lane-list.ts';
import { laneColumns, laneNotes, laneRow, laneTitles, narrowLaneRow } from './lane-rows.ts';
import { columnsThatFit, laneColumnRows } from './lane-columns.ts';
import { outputPane } from './output-pane.ts';
import { beside, besideAll, coverPane, dimmed, exactly, highlighted, paneRule } from './panes.ts';
import { wholeQuestion } from './question-pane.ts';
import { zoomedPane } from './zoomed-pane.ts';
import { leaseRows, waitGraphIn, waitingOf, waitingRows } from './side-panes.ts';

/** Lanes stand side by side from here on. */
const COLUMNS: Readonly<{ width: number; height: number }> = { width: 160, height: 40 };

/** Cells and rows; the last row of the terminal is left free by the caller. */
export type Size = Readonly<{ width: number; height: number }>;

const SMALLEST: Size = { width: 40, height: 7 };
const NARROW = 60;
const TWO_PANES: Size = { width: 100, height: 30 };
/** With fewer rows a part of the question may fall off the screen. */
const LEAST_FOR_QUESTION = 18;

/** The whole screen: a pure function of data, size and clock. Never more rows, nor wider ones, than fit. */
export function watchFrame(data: FrameData, size: Size, clock: Look): readonly Line[] {
  const look = lookOf(data, size, clock);
  if (size.width < SMALLEST.width || size.height < SMALLEST.height)
    return [fit(tooSmall(data, size), size.width)];
  const top = [headerRow(data, look), ...newsRow(data, { ...clock, width: size.width })];
  const bottom = footerRows(data, look);
  const height = size.height - top.length - bottom.length;
  const middle = exactly(middleRows(data, size, height, look), height);
  const shown = isPast(data.state.connection) ? middle.map(dimmed) : middle;
  return [...top, ...shown.map((row) => highlighted(row, data.ui.search)), ...bottom].map((row) =>
    fit(row, size.width),
  );
}

/** Whether the lanes' screen shows all of what the open question would run. */
export function isQuestionWhole(question: ApprovalData, size: Size, clock: Look): boolean {
  if (size.height < LEAST_FOR_QUESTION) return false;
  const width = questionWidth(size);
  return isWholeInPane(question, { ...clock, width });
}

/** Whether what is shown is that of a moment gone by. */
function isPast(
  connection: FrameData['state']['connection'],
): connection is FrameData['state']['connection'] & { readonly kind: 'broken' | 'away' } {
  return connection.kind === 'broken' || connection.kind === 'away';
}

/** While there is no connection the picture is that of the moment when it broke: timers stand still. */
function lookOf({ state: { connection } }: FrameData, { width }: Size, clock: Look): Look {
  return { ...clock, width, now: isPast(connection) ? connection.since : clock.now };
}

function tooSmall({ state }: FrameData, { width, height }: Size): Line {
  const waiting = [...state.run.commands.values()].filter((command) => command.state === 'asks').length;
  const asks =
    waiting === 0 ? '' : ` ${waiting} approval${waiting === 1 ? ' waits' : 's wait'}: signalbox approve`;
  return line(`Terminal too small (${width}x${height + 1}).`, as('asks', asks));
}

function middleRows(data: FrameData, whole: Size, height: number, look: Look): readonly Line[] {
  const size = { ...whole, height };
  const { ui, question, prompt } = data;
  if (question !== null && (data.answering || ui.cover.kind === 'question')) {
    return wholeQuestion(question, prompt, { scroll: ui.scroll, height: size.height }, look);
  }
  const of = { scroll: ui.scroll, ...size };
  if (ui.cover.kind === 'help') return coverPane('Keys', helpRows(), of);
  if (ui.cover.kind === 'text') return coverPane(ui.cover.title, ui.cover.lines, of);
  const lanes = laneList(data.state, ui.filter.terms, ui.byNeed);
  if (lanes.length === 0 && question === null) return nothingYet(data);
  if (size.width < NARROW) return narrowRows(data, lanes, look);
  const zoomed = zoomedRows(data, lanes, size, look);
  if (zoomed !== null) return zoomed;
  if (hasColumns(whole)) return columnRows(data, lanes, size, look);
  return hasTwoPanes(whole) ? wideRows(data, lanes, size, look) : stackedRows(data, lanes, size, look);
}

function hasTwoPanes({ width, height }: Size): boolean {
  return width >= TWO_PANES.width && height >= TWO_PANES.height;
}

/** The pane that a person has made large; the open question stays above it. */
function zoomedRows(
  data: FrameData,
  lanes: readonly ShownLane[],
  size: Size,
  look: Look,
): readonly Line[] | null {
  const { zoom, selected, filter } = data.ui;
  if (zoom === null) return null;
  const question = approvalPane(data, look);
  const height = size.height - question.length;
  if (zoom !== 'output') return [...question, ...zoomedPane(zoom, data, height, look)];
  const columns = laneColumns(lanes, selected, data.state);
  const shown = selectedLane(lanes, columns.selected) ?? laneList(data.state, filter.terms, false)[0];
  return [...question, ...outputPane(data, shown, height, look)];
}

function hasColumns({ width, height }: Size): boolean {
  return width >= COLUMNS.width && height >= COLUMNS.height;
}

function questionWidth(size: Size): number {
  if (hasColumns(size)) return Math.floor((size.width - 2) / 3);
  return hasTwoPanes(size) ? rightWidth(size.width) : size.width;
}

function rightWidth(width: number): number {
  return Math.floor(width * 0.4);
}

function nothingYet({ state, ui }: FrameData): readonly Line[] {
  if (ui.filter.terms.length > 0 && state.run.lanes.size > 0) {
    return [BLANK, line(' No lane is inside the filter: f changes it.')];
  }
  if (state.connection.kind === 'first-try') return [BLANK, line(muted(' Connecting …'))];
  return [
    BLANK,
    line(' Nothing has happened here yet.'),
    line(
      '   ',
      as('accent', 'signalbox run "…"'),
      '     ',
      as('accent', 'signalbox connect codex'),
      '     ? keys',
    ),
  ];
}

function narrowRows(data: FrameData, lanes: readonly ShownLane[], look: Look): readonly Line[] {
  return [...approvalPane(data, look), ...lanes.map((lane) => narrowLaneRow(lane, look))];
}

function waitingPane({ state }: FrameData, most: number, look: Look): readonly Line[] {
  const [longest] = waitingOf(state);
  if (longest === undefined) return [];
  const title = `Waiting ${waitingOf(state).length}`;
  return [
    paneRule(title, `longest ${timer(look.now - longest.since)}`, look.width),
    ...waitingRows(state, most, look),
  ];
}

/** Lanes, those who wait, the question, output and the last events, one below the other. */
function stackedRows(data: FrameData, lanes: readonly ShownLane[], size: Size, look: Look): readonly Line[] {
  const { state, ui } = data;
  const waiting = waitingPane(data, 3, look);
  const question = approvalPane(data, look);
  // Nothing of a question is ever pushed off the screen by lanes.
  const left = size.height - waiting.length - question.length - 2;
  const most = Math.max(1, Math.min(Math.floor(size.height / 3), left));
  const columns = laneColumns(lanes, ui.selected, state);
  const { rows, hidden } = laneWindow(lanes, columns.selected, most);
  const upper = [
    laneTitles(columns, look),
    ...rows.map((lane) => laneRow(lane, columns, look)),
    ...hiddenRow(hidden, lanes.length),
    ...waiting,
    ...question,
  ];
  const events = eventRows(state, ui.filter.terms, 2, look);
  const room = Math.max(0, size.height - upper.length - events.length);
  const lower = room > 1 ? outputPane(data, selectedLane(lanes, columns.selected), room, look) : [];
  return [...upper, ...exactly(lower, room), ...events];
}

/** Lanes with their grounds on the left; question, those who wait and leases on the right; output and events below. */
function wideRows(data: FrameData, lanes: readonly ShownLane[], size: Size, look: Look): readonly Line[] {
  const { state, ui } = data;
  const right = rightWidth(size.width);
  const left = size.width - right - 1;
  const eventCount = Math.max(3, Math.floor(size.height / 6));
  const area = Math.floor(size.height * 0.5);
  const columns = laneColumns(lanes, ui.selected, state);
  const leftLook = { ...look, width: left };
  const each = Math.min(3, Math.max(1, Math.floor((area - 2) / Math.max(1, lanes.length))));
  const { rows, hidden } = laneWindow(lanes, columns.selected, Math.floor((area - 2) / each));
  const leftRows = [
    paneRule('Lanes', '', left),
    ...rows.flatMap((lane) =>
      [laneRow(lane, columns, leftLook), ...laneNotes(lane, state, 5 + columns.name, leftLook)].slice(
        0,
        each,
      ),
    ),
    ...hiddenRow(hidden, lanes.length),
  ];
  const middle = beside(leftRows, sideRows(data, { ...look, width: right }), { left, right, rows: area });
  const room = size.height - area - eventCount - 1;
  return [
    ...middle,
    ...exactly(outputPane(data, selectedLane(lanes, columns.selected), room, look), room),
    paneRule('Events', '', look.width),
    ...eventRows(state, ui.filter.terms, eventCount, look),
  ];
}

/** Lanes side by side; below them the question, who waits for whom with the leases, and the events. */
function columnRows(data: FrameData, lanes: readonly ShownLane[], size: Size, look: Look): readonly Line[] {
  const { state, ui } = data;
  const columns = laneColumns(lanes, ui.selected, state);
  const { rows, hidden } = laneWindow(lanes, columns.selected, columnsThatFit(size.width) + 1);
  const more = hiddenRow(hidden, lanes.length);
  const below = Math.max(9, Math.floor(size.height / 4));
  const area = size.height - below - more.length;
  const width = Math.floor((size.width - 2) / 3);
  const third = { ...look, width };
  const waits = [paneRule('Who waits for whom', '', width), ...waitTree(waitGraphIn(state), third)];
  const holds = leaseRows(state, third);
  return [
    ...laneColumnRows(rows.slice(0, columnsThatFit(size.width)), columns, { state, height: area }, look),
    ...more,
    ...besideAll(
      [
        approvalPlace(data, third),
        [...waits, paneRule(`Leases ${holds.length}`, 'fencing token', width), ...holds],
        [paneRule('Events', '', width), ...eventRows(state, ui.filter.terms, below - 1, third)],
      ],
      { width, rows: below },
    ),
  ];
}

function sideRows(data: FrameData, look: Look): readonly Line[] {
  const leases = leaseRows(data.state, look);
  return [
    ...approvalPlace(data, look),
    ...waitingPane(data, 5, look),
    paneRule(`Leases ${leases.length}`, 'fencing token', look.width),
    ...leases,
  ];
}

/** So many lanes that the selected one is among them. */
function laneWindow(
  lanes: readonly ShownLane[],
  selected: string | null,
  most: number,
): Readonly<{ rows: readonly ShownLane[]; hidden: number }> {
  if (lanes.length <= most) return { rows: lanes, hidden: 0 };
  const fitting = Math.max(1, most - 1);
  const at = Math.max(
    0,
    lanes.findIndex(({ lane }) => lane.sessionId === selected),
  );
  const start = Math.min(Math.max(0, at - fitting + 1), lanes.length - fitting);
  return { rows: lanes.slice(start, start + fitting), hidden: lanes.length - fitting };
}

function hiddenRow(hidden: number, all: number): readonly Line[] {
  return hidden === 0 ? [] : [line(muted(` ${hidden} more of ${all} lanes: ↑↓ scroll, s by need`))];
}

function selectedLane(lanes: readonly ShownLane[], selected: string | null): ShownLane | undefined {
  return lanes.find(({ lane }) => lane.sessionId === selected);
}
