import { type CommandSummary, type Lane, lanesOf } from '@signalbox/api';
import { stateWordsOf } from '../../../terminal/icon.ts';
import { doing, type LaneActivity, shownFirst, whatText } from '../../../views/lanes-view.ts';
import { type LanePredicate, matches, passes } from './lane-filter.ts';
import type { FilterWords } from './complete-filter.ts';
import type { WatchState } from './watch-state.ts';

/** A lane and its current content. */
export type ShownLane = Readonly<{
  lane: Lane;
  doing: LaneActivity;
  /** The command it shows; null while it is idle. */
  command: CommandSummary | null;
}>;

/** A lane's states, from the most urgent to the least. */
const NEED = ['asks', 'waits', 'runs', 'retrying', 'thinking', 'rests', 'idle'] as const;

/** The user's choice of lanes. */
export type LaneChoice = Readonly<{ filter: LanePredicate; byNeed: boolean; showsEnded: boolean }>;

/**
 * The lanes that match the filter: pending approvals first, ended ones last, the others in order of appearance; or all
 * by urgency. Ended ones are `folded` while others work, unless requested.
 */
export function laneList(
  state: WatchState,
  { filter, byNeed, showsEnded }: LaneChoice,
): Readonly<{ lanes: readonly ShownLane[]; folded: readonly ShownLane[] }> {
  const all = filteredLanes(state, filter).toSorted(byNeed ? inNeed : byAppearance);
  const isBusy = all.some((one) => !hasEnded(one) && one.doing.word !== 'idle');
  const folds = isBusy && !showsEnded && !filter.some(({ key }) => key === 'state');
  return {
    lanes: folds ? all.filter((one) => !hasEnded(one)) : all,
    folded: folds ? all.filter(hasEnded) : [],
  };
}

function hasEnded({ lane }: ShownLane): boolean {
  return lane.session?.state === 'ended';
}

function byAppearance(a: ShownLane, b: ShownLane): number {
  const position = (one: ShownLane): number => (hasEnded(one) ? 2 : one.doing.word === 'asks' ? 0 : 1);
  return position(a) - position(b);
}

/** The longer it lasts, the more urgent. */
function inNeed(a: ShownLane, b: ShownLane): number {
  const need = ({ doing: { word } }: ShownLane): number => NEED.findIndex((one) => one === word);
  const position = (one: ShownLane): number => (hasEnded(one) ? NEED.length : need(one));
  const since = ({ doing: of }: ShownLane): number => of.since ?? Number.MAX_SAFE_INTEGER;
  return position(a) - position(b) || since(a) - since(b);
}

function filteredLanes(state: WatchState, filter: LanePredicate): readonly ShownLane[] {
  return lanesIn(state)
    .map((lane) => shownLane(state, lane))
    .filter(({ lane, command, doing: { word, what } }) =>
      passes(filter, {
        provider: lane.provider,
        states: [word, ...(command === null ? [] : stateWordsOf({ state: command.state, result: null }))],
        title: what,
        level: command?.level ?? null,
      }),
    );
}

/** The selected lane; by default the first without a pending approval, which is shown anyway. */
export function selectedLane(lanes: readonly ShownLane[], selected: string | null): ShownLane | undefined {
  const chosen = lanes.find(({ lane }) => lane.id === selected);
  return chosen ?? lanes.find(({ doing: { word } }) => word !== 'asks') ?? lanes[0];
}

/** All lanes of this screen, in order of their start. */
export function lanesIn(state: WatchState): readonly Lane[] {
  return lanesOf(state, state.lanesSince);
}

function shownLane(state: WatchState, lane: Lane): ShownLane {
  const [command = null] = shownFirst(lane.open);
  return { lane, doing: doing(lane, state), command };
}

/** The command whose output a lane shows: the current one, else the last that ended. */
export function commandOf({ command, lane }: ShownLane): CommandSummary | null {
  return command ?? lane.last;
}

/** Lanes that match the search: by name, line, or the output of their command. */
export function lanesWith(
  { outputs }: WatchState,
  lanes: readonly ShownLane[],
  { search }: Readonly<{ search: string }>,
): readonly string[] {
  return lanes
    .filter((shown) => {
      const output = outputs.get(commandOf(shown)?.id ?? '');
      return [
        shown.lane.provider,
        whatText(shown.doing),
        ...(output?.rows.map(({ text }) => text) ?? []),
      ].some((text) => matches(search, text));
    })
    .map(({ lane }) => lane.id);
}

/** Providers and tools on the screen, for completing a filter. */
export function filterWords(state: WatchState): FilterWords {
  const tools = state.events.flatMap((event) => ('tool' in event ? [event.tool] : []));
  return {
    providers: [...new Set(lanesIn(state).map(({ provider }) => provider))].toSorted(),
    tools: [...new Set(tools)].toSorted(),
  };
}
