import type { Line } from '../../../terminal/line.ts';
import type { ApprovalData } from '../../../views/command/approval-view.ts';
import type { WatchUi } from './watch-ui.ts';
import type { WatchState } from './watch-state.ts';
import type { ShownLane } from './lane-list.ts';

/** Cells and rows; the caller leaves the last row of the terminal free. */
export type Size = Readonly<{ width: number; height: number }>;

/** Everything a frame shows. */
export type FrameData = Readonly<{
  state: WatchState;
  ui: WatchUi;
  /** The open approval and the rows of its prompt; the user may be answering it. */
  question: ApprovalData | null;
  prompt: readonly Line[];
  answering: boolean;
  /** Whether sessions can be started from here. */
  canStart: boolean;
  /** Number of postponed approvals. */
  later: number;
  /** The result of the last key. */
  note: Line | null;
  /** The age of the paused screen, and the events since; null if it is not paused. */
  held: Readonly<{ forMs: number; missed: number }> | null;
}>;

/** Input of a layout: all data, the shown lanes, the ended ones folded into one row, and its space. */
export type FramePicture = Readonly<{
  data: FrameData;
  lanes: readonly ShownLane[];
  folded: readonly ShownLane[];
  size: Size;
}>;
