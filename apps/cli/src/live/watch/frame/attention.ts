import { basename } from 'node:path';
import { visible } from '@signalbox/core/visible-text';

/** Gets the attention of a user who looks elsewhere. */
export type Attention = Readonly<{
  /** Number of pending approvals in that workspace. */
  note(asking: number, workspace: string): void;
  /** Restores the window title. Does nothing the second time. */
  close(): void;
}>;

const KEEP_TITLE = '\x1b[22;2t';
const TITLE_BACK = '\x1b[23;2t';

/** Rings when the first approval arrives, and counts approvals in the window title: `(2) shop`. */
export function createAttention(draw: (bytes: string) => void, ring: () => void): Attention {
  let title = '';
  let asked = 0;
  let closed = false;

  return {
    note(asking, workspace) {
      if (closed) return;
      if (asked === 0 && asking > 0) ring();
      asked = asking;
      const next = `${asking === 0 ? '' : `(${asking}) `}${visible(basename(workspace))}`;
      if (next === title) return;
      draw(`${title === '' ? KEEP_TITLE : ''}\x1b]2;${next}\x07`);
      title = next;
    },
    close() {
      if (!closed && title !== '') draw(TITLE_BACK);
      closed = true;
    },
  };
}
