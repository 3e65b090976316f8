import type { Line } from '../screen/line.ts';
import type { Look } from '../screen/look.ts';
import { waitTree } from '../views/wait-tree.ts';
import { eventRows } from './event-rows.ts';
import type { FrameData } from './frame-data.ts';
import { paneRule } from './panes.ts';
import { leaseRows, waitGraphIn } from './side-panes.ts';

/** One pane alone on the screen; that of the output is drawn by the frame, as elsewhere. */
export function zoomedPane(
  pane: 'events' | 'waits',
  { state, ui }: FrameData,
  height: number,
  look: Look,
): readonly Line[] {
  if (pane === 'events') {
    return [paneRule('Events', ZOOMED, look.width), ...eventRows(state, ui.filter.terms, height - 1, look)];
  }
  const holds = leaseRows(state, look);
  return [
    paneRule('Who waits for whom', ZOOMED, look.width),
    ...waitTree(waitGraphIn(state), look),
    paneRule(`Leases ${holds.length}`, 'fencing token', look.width),
    ...holds,
  ];
}

const ZOOMED = '←→ another pane · z closes';
