import type { Panel } from '../house/panel.ts';
import { aspectOf, type Train } from '../house/train.ts';
import type { LaneData } from './lane.tsx';
import { type LaneLayout, layLane } from './lane-items.ts';
import { type HoldColumn, layHolds, type Placed } from './routes.ts';

export type LaneFilter = 'asking' | 'waiting' | 'running' | 'refused';

export type Diagram = Readonly<{
  lanes: readonly (LaneData & { readonly top: number })[];
  /** Providers that never called; when many have, also those that did nothing in the window. */
  idle: readonly string[];
  holds: HoldColumn;
  height: number;
}>;

const COMFORTABLE = 92;
const COMPACT = 56;
const COMPACT_FROM = 9;
const FOLD_FROM = 12;
const HOUR_MS = 3_600_000;

/** All that the track diagram draws, from what the house knows. Pure. */
export function diagramOf(options: {
  readonly panel: Pick<Panel, 'trains' | 'providers' | 'sessions' | 'tasks'>;
  readonly now: number;
  readonly windowMs: number;
  readonly width: number;
  readonly selected: string | null;
  readonly filter: LaneFilter | null;
}): Diagram {
  const { panel, now, windowMs, width, selected, filter } = options;
  const byProvider = Map.groupBy(panel.trains.values(), ({ provider }) => provider);
  const isMany = byProvider.size >= FOLD_FROM;
  const drawn: { provider: string; trains: readonly Train[]; layout: LaneLayout }[] = [];
  const idle: string[] = [];
  for (const provider of panel.providers) {
    const trains = byProvider.get(provider) ?? [];
    if (filter !== null && !trains.some((train) => isOf(filter, train, now))) continue;
    const layout = layLane(trains, { now, windowMs, width });
    if (trains.length === 0 || (isMany && layout.items.length === 0)) idle.push(provider);
    else drawn.push({ provider, trains, layout });
  }
  const least = drawn.length >= COMPACT_FROM ? COMPACT : COMFORTABLE;
  const lanes: (LaneData & { readonly top: number })[] = [];
  let top = 0;
  for (const { provider, trains, layout } of drawn) {
    const height = heightOf(layout.rows, least);
    const first = firstOf(trains);
    lanes.push({
      provider,
      task: taskOf(provider, panel, trains),
      height,
      top,
      layout,
      width,
      first,
      others: trains.filter(({ endedAt }) => endedAt === null).length - (first?.endedAt === null ? 1 : 0),
      isSelected: trains.some(({ id }) => id === selected),
    });
    top += height;
  }
  const placed: Placed[] = lanes.map(({ provider, top: at, height, layout }) => ({
    provider,
    top: at,
    height,
    layout,
  }));
  return { lanes, idle, holds: layHolds(placed, panel.trains), height: top };
}

/** Whether it is one of those that the filter counts. */
export function isOf(filter: LaneFilter, train: Train, now: number): boolean {
  switch (filter) {
    case 'asking':
      return train.state === 'awaiting_approval';
    case 'waiting':
      return train.state === 'queued';
    case 'running':
      return train.state === 'running';
    case 'refused':
      return isRefused(train) && (train.endedAt ?? 0) >= now - HOUR_MS;
  }
}

function isRefused({ outcome }: Train): boolean {
  return outcome === 'denied' || outcome === 'blocked' || outcome === 'conflict';
}

function heightOf(rows: number, least: number): number {
  return rows === 1 ? least : Math.max(least, 40 * rows + 8);
}

const ATTENTION = ['person', 'waiting', 'running', 'judged', 'done'] as const;

/** What a person should look at first: who asks, who waits, what runs, what ended last. */
function firstOf(trains: readonly Train[]): Train | null {
  let first: Train | null = null;
  for (const train of trains) if (first === null || comesBefore(train, first)) first = train;
  return first;
}

function comesBefore(a: Train, b: Train): boolean {
  const [rankA, rankB] = [ATTENTION.indexOf(aspectOf(a)), ATTENTION.indexOf(aspectOf(b))];
  return rankA === rankB ? (a.endedAt ?? a.submittedAt) > (b.endedAt ?? b.submittedAt) : rankA < rankB;
}

function taskOf(
  provider: string,
  { sessions, tasks }: Pick<Panel, 'sessions' | 'tasks'>,
  trains: readonly Train[],
): string {
  const own = [...sessions.values()].filter((session) => session.provider === provider);
  const running = own.find(({ state }) => state === 'running');
  const latest = trains.at(-1)?.sessionId ?? '';
  const task = running?.task ?? tasks.get(latest) ?? own[0]?.task;
  if (task !== undefined) return task;
  return trains.length === 0 ? 'No call yet' : trains.length === 1 ? '1 call' : `${trains.length} calls`;
}
