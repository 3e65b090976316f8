import { commandsIn } from '@signalbox/api';
import { fit } from '../../terminal/cells.ts';
import { as, BLANK, type Line, line, muted } from '../../terminal/line.ts';
import { type RenderContext } from '../../terminal/render-context.ts';
import { timeLeft } from '../../views/command/time-left.ts';
import { headerRow } from './frame/frame-head.ts';
import type { LanePredicate } from './frame/lane-filter.ts';
import { laneList } from './frame/lane-list.ts';
import { laneColumns, laneRow, laneTitles } from './frame/lane-rows.ts';
import { atEdges, paneRule } from './frame/panes.ts';
import { leasesPane, waitingPane } from './frame/side-panes.ts';
import type { WatchState } from './frame/watch-state.ts';

/** Width in cells without a terminal and `COLUMNS`. */
const PRINTED_WIDTH = 120;
const LEAST_WIDTH = 20;

/**
 * The current state, to read and keep: all lanes, waiting commands and pending approvals; no keys.
 *
 * @param columns `COLUMNS` of the environment: the width without a terminal.
 */
export function stillFrame(
  state: WatchState,
  filter: LanePredicate,
  { render: wide, columns: wished }: Readonly<{ render: RenderContext; columns: string | undefined }>,
): readonly Line[] {
  const printed = /^\d{1,4}$/.test(wished ?? '') ? Math.max(LEAST_WIDTH, Number(wished)) : PRINTED_WIDTH;
  const render = { ...wide, width: wide.width === Infinity ? printed : Math.min(wide.width, PRINTED_WIDTH) };
  const { lanes } = laneList(state, { filter, byNeed: false, showsEnded: true });
  const columns = { ...laneColumns(lanes, { state, selected: null }), selected: null };
  return [
    headerRow({ state, held: null }, render),
    ...(lanes.length === 0 ? [BLANK, line(' No lanes.')] : [laneTitles(columns, render)]),
    ...lanes.map((lane) => laneRow(lane, columns, render)),
    ...waitingPane(state, Infinity, render),
    ...askingPane(state, render),
    ...(commandsIn(state, 'running').length === 0 ? [] : leasesPane(state, render)),
  ];
}

/** Pending approvals, and how to answer. */
function askingPane(state: WatchState, render: RenderContext): readonly Line[] {
  const asking = commandsIn(state, 'awaiting_approval');
  if (asking.length === 0) return [];
  return [
    paneRule(`Approvals ${asking.length}`, '', { width: render.width }),
    ...asking.map(({ id, provider, title, expiresAt }) => {
      const left = expiresAt === null ? '' : timeLeft(expiresAt, render.now);
      return atEdges(
        line(as('asks', ' ! '), id, ' ', as('bold', provider), ` ${title}`),
        line(as('warn', left), ' '),
        { width: render.width },
      );
    }),
    fit(line(' ', as('accent', 'signalbox approve'), muted(' shows and answers them')), render.width),
  ];
}
