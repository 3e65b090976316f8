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

/** What a row says of a lane, by how much it needs a person. */
const NEED = ['asks', 'waits', 'runs', 'retrying', 'thinking', 'idle'] as const;
const SHOWN_FIRST = ['asks', 'runs', 'waits', 'submitted'] as const;

/** What a person has chosen to see of the lanes. */
export type LaneChoice = Readonly<{ filter: LaneFilter; byNeed: boolean; showsEnded: boolean }>;

/**
 * The lanes that the filter lets through: who asks first, who has ended last, the others by first sight; or all by who
 * needs a person most. Those that have ended are `folded` while others are at work, unless they are asked for.
 */
export function laneList(
  state: WatchState,
  { filter, byNeed, showsEnded }: LaneChoice,
): Readonly<{ lanes: readonly ShownLane[]; folded: readonly ShownLane[] }> {
  const all = filteredLanes(state, filter).toSorted(byNeed ? inNeed : inSight);
  const isBusy = all.some(({ lane, doing: { word } }) => lane.finish === null && word !== 'idle');
  const folds = isBusy && !showsEnded && !filter.some(({ key }) => key === 'state');
  return {
    lanes: folds ? all.filter((one) => !hasEnded(one)) : all,
    folded: folds ? all.filter(hasEnded) : [],
  };
}

function hasEnded({ lane }: ShownLane): boolean {
  return lane.finish !== null;
}

function inSight(a: ShownLane, b: ShownLane): number {
  const place = (one: ShownLane): number => (hasEnded(one) ? 2 : one.doing.word === 'asks' ? 0 : 1);
  return place(a) - place(b);
}

/** The longer it lasts, the more. */
function inNeed(a: ShownLane, b: ShownLane): number {
  const need = ({ doing: { word } }: ShownLane): number => NEED.findIndex((one) => one === word);
  const place = (one: ShownLane): number => (hasEnded(one) ? NEED.length : need(one));
  const since = ({ doing: of }: ShownLane): number => of.since ?? Number.MAX_SAFE_INTEGER;
  return place(a) - place(b) || since(a) - since(b);
}

function filteredLanes(state: WatchState, filter: LaneFilter): readonly ShownLane[] {
  return [...state.run.lanes.values()]
    .map((lane) => shownLane(state, lane))
    .filter(({ lane, command, doing: { word, what } }) =>
      passes(filter, {
        provider: lane.provider,
        state: word,
        title: what,
        level: command === null ? null : levelOf(state, command.id),
      }),
    );
}

/** The lane that is selected; until a person chooses the first one that does not ask: the question is shown anyway. */
export function selectedLane(lanes: readonly ShownLane[], selected: string | null): ShownLane | undefined {
  const chosen = lanes.find(({ lane }) => lane.sessionId === selected);
  return chosen ?? lanes.find(({ doing: { word } }) => word !== 'asks') ?? lanes[0];
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
