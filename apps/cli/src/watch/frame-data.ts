import type { Line } from '../screen/line.ts';
import type { ApprovalData } from '../views/approval-view.ts';
import type { WatchUi } from './watch-keys.ts';
import type { WatchState } from './watch-state.ts';

/** All that a frame shows. */
export type FrameData = Readonly<{
  state: WatchState;
  ui: WatchUi;
  /** The open question and the rows of its prompt; a person may be answering it. */
  question: ApprovalData | null;
  prompt: readonly Line[];
  answering: boolean;
  /** Questions that were left for later. */
  later: number;
  /** What became of the last key. */
  note: Line | null;
}>;
