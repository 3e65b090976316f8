import { commandsIn } from '@signalbox/api';
import { fit } from '../../terminal/cells.ts';
import { as, BLANK, type Line, line, muted } from '../../terminal/line.ts';
import { type Look } from '../../terminal/look.ts';
import { timeLeft } from '../../views/time-left.ts';
import { headerRow } from './frame-head.ts';
import type { LaneFilter } from './lane-filter.ts';
import { laneList } from './lane-list.ts';
import { laneColumns, laneRow, laneTitles } from './lane-rows.ts';
import { atEdges, paneRule } from './panes.ts';
import { leasesPane, waitingPane } from './side-panes.ts';
import type { WatchState } from './watch-state.ts';

/** Cells, where it is no terminal and `COLUMNS` says nothing. */
const PRINTED_WIDTH = 120;
const LEAST_WIDTH = 20;

/**
 * How things stand, to be read and kept: all lanes, all who wait, all that asks; no keys.
 *
 * @param columns `COLUMNS` of the environment: how wide it is where it is no terminal.
 */
export function stillFrame(
  state: WatchState,
  filter: LaneFilter,
  { look: wide, columns: wished }: Readonly<{ look: Look; columns: string | undefined }>,
): readonly Line[] {
  const printed = /^\d{1,4}$/.test(wished ?? '') ? Math.max(LEAST_WIDTH, Number(wished)) : PRINTED_WIDTH;
  const look = { ...wide, width: wide.width === Infinity ? printed : Math.min(wide.width, PRINTED_WIDTH) };
  const { lanes } = laneList(state, { filter, byNeed: false, showsEnded: true });
  const columns = { ...laneColumns(lanes, { state, selected: null }), selected: null };
  return [
    headerRow({ state, held: null }, look),
    ...(lanes.length === 0 ? [BLANK, line(' No lanes.')] : [laneTitles(columns, look)]),
    ...lanes.map((lane) => laneRow(lane, columns, look)),
    ...waitingPane(state, Infinity, look),
    ...askingPane(state, look),
    ...(commandsIn(state, 'running').length === 0 ? [] : leasesPane(state, look)),
  ];
}

/** Who waits for a person, and how to answer. */
function askingPane(state: WatchState, look: Look): readonly Line[] {
  const asking = commandsIn(state, 'awaiting_approval');
  if (asking.length === 0) return [];
  return [
    paneRule(`Approvals ${asking.length}`, '', look.width),
    ...asking.map(({ id, provider, title, expiresAt }) => {
      const left = expiresAt === null ? '' : timeLeft(expiresAt, look.now);
      return atEdges(
        line(as('asks', ' ! '), id, ' ', as('bold', provider), ` ${title}`),
        line(as('warn', left), ' '),
        look.width,
      );
    }),
    fit(line(' ', as('accent', 'signalbox approve'), muted(' shows and answers them')), look.width),
  ];
}
