import type { Line } from '../../../terminal/line.ts';
import type { RenderContext } from '../../../terminal/render-context.ts';
import { waitTree } from '../../../views/wait-tree.ts';
import { approvalPane } from './approval-pane.ts';
import { eventRows } from './event-rows.ts';
import type { FramePicture } from './frame-data.ts';
import { selectedLane } from './lane-list.ts';
import { outputPane } from './output-pane.ts';
import { paneRule } from './panes.ts';
import { leasesPane, waitGraphIn } from './side-panes.ts';
import type { WatchUi } from './watch-ui.ts';

const ZOOMED = '←→ another pane · z closes';

/** A pane over the whole screen, with the open approval above it. */
export function zoomedLayout(
  pane: NonNullable<WatchUi['zoom']>,
  picture: FramePicture,
  render: RenderContext,
): readonly Line[] {
  const { data, size } = picture;
  const question = approvalPane(data, render);
  const left = { ...size, height: size.height - question.length };
  return [...question, ...zoomedPane(pane, { ...picture, size: left }, render)];
}

function zoomedPane(
  pane: NonNullable<WatchUi['zoom']>,
  { data, lanes, size: { height } }: FramePicture,
  render: RenderContext,
): readonly Line[] {
  const { state, ui } = data;
  switch (pane) {
    case 'output':
      return outputPane(data, selectedLane(lanes, ui.selected), {
        size: { height, questionWidth: render.width },
        render,
      });
    case 'events':
      return [
        paneRule('Events', ZOOMED, { width: render.width }),
        ...eventRows(state, ui.filter.terms, { max: height - 1, render }),
      ];
    case 'waits':
      return [
        paneRule('What waits for what', ZOOMED, { width: render.width }),
        ...waitTree(waitGraphIn(state), render),
        ...leasesPane(state, render),
      ];
  }
}
