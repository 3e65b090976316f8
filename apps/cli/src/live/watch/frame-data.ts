import type { Line } from '../../terminal/line.ts';
import type { ApprovalData } from '../../views/approval-view.ts';
import type { WatchUi } from './watch-ui.ts';
import type { WatchState } from './watch-state.ts';
import type { ShownLane } from './lane-list.ts';

/** Cells and rows; the last row of the terminal is left free by the caller. */
export type Size = Readonly<{ width: number; height: number }>;

/** All that a frame shows. */
export type FrameData = Readonly<{
  state: WatchState;
  ui: WatchUi;
  /** The open question and the rows of its prompt; a person may be answering it. */
  question: ApprovalData | null;
  prompt: readonly Line[];
  answering: boolean;
  /** Whether sessions can be started from here. */
  canStart: boolean;
  /** Questions that were left for later. */
  later: number;
  /** What became of the last key. */
  note: Line | null;
  /** The picture is of so long ago, and so many events came since; null where it goes on. */
  held: Readonly<{ forMs: number; missed: number }> | null;
}>;

/** What a layout draws: all data, the lanes that are shown, those that have ended and are one row, and its room. */
export type FramePicture = Readonly<{
  data: FrameData;
  lanes: readonly ShownLane[];
  folded: readonly ShownLane[];
  size: Size;
}>;
