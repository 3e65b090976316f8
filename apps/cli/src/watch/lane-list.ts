import type { CommandId, SessionId } from '@signalbox/core';
import type { Lane, LiveCommand } from '../run/run-state.ts';
import { GLANCES } from '../screen/icon.ts';
import { doing, type Doing, whatText } from '../views/lanes-view.ts';
import { type LaneFilter, matches, passes } from './lane-filter.ts';
import type { FilterWords } from './complete-filter.ts';
import { levelOf } from './level-of.ts';
import type { WatchState } from './watch-state.ts';

/** A lane and what stands in it now. */
export type ShownLane = Readonly<{
  lane: Lane;
  doing: Doing;
  /** The command that it shows; null while it does nothing. */
  command: LiveCommand | null;
}>;

const NEED = ['asks', 'waits', 'runs'] as const;
const SHOWN_FIRST = ['asks', 'runs', 'waits', 'submitted'] as const;

/** The lanes that the filter lets through: by first sight, or by who needs a person most. */
export function laneList(state: WatchState, filter: LaneFilter, byNeed: boolean): readonly ShownLane[] {
  const lanes = [...state.run.lanes.values()]
    .map((lane) => shownLane(state, lane))
    .filter(({ lane, command, doing: { word, what } }) =>
      passes(filter, {
        provider: lane.provider,
        state: word,
        title: what,
        level: command === null ? null : levelOf(state, command.id),
      }),
    );
  if (!byNeed) return lanes;
  const rank = ({ doing: { word } }: ShownLane): number => {
    const at = NEED.findIndex((need) => need === word);
    return at < 0 ? NEED.length : at;
  };
  const since = ({ doing: of }: ShownLane): number => of.since ?? Infinity;
  return lanes.toSorted((a, b) => rank(a) - rank(b) || since(a) - since(b));
}

/** The lane that is selected; the first one until a person chooses. */
export function selectedLane(lanes: readonly ShownLane[], selected: string | null): ShownLane | undefined {
  return lanes.find(({ lane }) => lane.sessionId === selected) ?? lanes[0];
}

function shownLane(state: WatchState, lane: Lane): ShownLane {
  const mine = [...state.run.commands.values()].filter(({ sessionId }) => sessionId === lane.sessionId);
  const command =
    SHOWN_FIRST.map((wanted) => mine.find((one) => one.state === wanted)).find((one) => one !== undefined) ??
    null;
  const now = doing(lane, state.run);
  const last = state.lastOf.get(lane.sessionId);
  const isLoose = state.loose.get(lane.provider) === lane.sessionId;
  if (command !== null || !isLoose) return { lane, doing: now, command };
  // No model leads it, so nobody thinks there: it shows how its last command ended.
  const { icon } = last?.glance ?? { icon: '·' };
  const glance = { ...GLANCES.waiting, icon };
  return {
    lane,
    doing: { glance, word: 'idle', id: last?.id ?? null, what: last?.title ?? '', since: null },
    command,
  };
}

/** The command whose output a lane shows: the present one, else the one that ended last. */
export function commandOf(state: WatchState, shown: ShownLane): CommandId | null {
  return shown.command?.id ?? state.lastOf.get(shown.lane.sessionId)?.id ?? null;
}

/** Lanes in which the words stand: their name, their line, or what their command printed. */
export function lanesWith(
  state: WatchState,
  lanes: readonly ShownLane[],
  search: string,
): readonly SessionId[] {
  return lanes
    .filter((shown) => {
      const id = commandOf(state, shown);
      const output = id === null ? undefined : state.outputs.get(id);
      return [
        shown.lane.provider,
        whatText(shown.doing),
        ...(output?.rows.map(({ text }) => text) ?? []),
      ].some((text) => matches(search, text));
    })
    .map(({ lane }) => lane.sessionId);
}

/** Providers and tools that are on the screen, for who types a filter. */
export function filterWords({ run, events }: WatchState): FilterWords {
  const tools = events.flatMap((event) => ('tool' in event ? [event.tool] : []));
  return {
    providers: [...new Set([...run.lanes.values()].map(({ provider }) => provider))].toSorted(),
    tools: [...new Set(tools)].toSorted(),
  };
}
