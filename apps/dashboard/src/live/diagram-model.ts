import type { Panel } from '../workspace/panel.ts';
import { type ProviderStatus, providerStatus } from '../workspace/provider-status.ts';
import type { CommandSummary } from '@signalbox/api';
import { phaseOf, needsAttention } from '../workspace/command-text.ts';
import type { LaneData } from './lane.tsx';
import { type LaneLayout, layLane } from './lane-items.ts';
import { type HoldColumn, layHolds, type LanePosition } from './routes.ts';

export type LaneFilter = 'asking' | 'waiting' | 'running' | 'refused';

export type Diagram = Readonly<{
  lanes: readonly (LaneData & { readonly top: number })[];
  /** Providers that never called; if many have, also those without commands in the window. */
  idle: readonly string[];
  /** Providers whose session has ended, folded into one line while others work. */
  ended: readonly string[];
  holds: HoldColumn;
  height: number;
}>;

const COMFORTABLE = 92;
const COMPACT = 56;
const COMPACT_FROM = 9;
const FOLD_FROM = 12;
const HOUR_MS = 3_600_000;
/** How long a failed lane stays near the top. */
const RECENT_MS = 60_000;
/** How many ended lanes stay visible when nothing works any more: a run that has just ended is of interest. */
const MAX_ENDED = 8;

/** Everything the lane diagram draws, from the coordinator's state. Pure. */
export function diagramOf(options: {
  readonly panel: Pick<Panel, 'commands' | 'providers' | 'sessions' | 'tasks'>;
  readonly now: number;
  readonly windowMs: number;
  readonly width: number;
  readonly selected: string | null;
  readonly filter: LaneFilter | null;
  /** Also draw lanes of ended sessions; default false. */
  readonly withEnded?: boolean;
  /** Order of providers to keep while the pointer is over them; null or empty: by urgency. */
  readonly order?: readonly string[] | null;
}): Diagram {
  const { panel, now, windowMs, width, selected, filter, withEnded = false, order = null } = options;
  const byProvider = Map.groupBy(panel.commands.values(), ({ provider }) => provider);
  const isMany = byProvider.size >= FOLD_FROM;
  const all: Drawn[] = [];
  const idle: string[] = [];
  for (const provider of panel.providers) {
    const summaries = byProvider.get(provider) ?? [];
    if (filter !== null && !summaries.some((summary) => isOf(filter, now, summary))) continue;
    const status = providerStatus(provider, summaries, panel);
    const layout = layLane(summaries, { now, windowMs, width });
    const isQuiet = summaries.length === 0 || (isMany && layout.items.length === 0);
    if (isQuiet && status.kind === 'idle') idle.push(provider);
    else all.push({ provider, summaries, layout, status, first: firstOf(summaries) });
  }
  const folded = withEnded || filter !== null ? [] : toFold(all, now);
  const drawn = all
    .filter((lane) => !folded.includes(lane))
    .toSorted((a, b) => urgency(a, now) - urgency(b, now) || waitingSince(a) - waitingSince(b))
    .toSorted((a, b) => (order === null ? 0 : placeIn(order, a) - placeIn(order, b)));
  const least = drawn.length >= COMPACT_FROM ? COMPACT : COMFORTABLE;
  const lanes: (LaneData & { readonly top: number })[] = [];
  let top = 0;
  for (const { provider, summaries, layout, status, first } of drawn) {
    const height = heightOf(layout.rows, least);
    lanes.push({
      provider,
      task: taskOf(provider, summaries, panel),
      height,
      top,
      layout,
      width,
      first,
      status,
      others: summaries.filter(({ endedAt }) => endedAt === null).length - (first?.endedAt === null ? 1 : 0),
      isSelected: summaries.some(({ id }) => id === selected),
    });
    top += height;
  }
  const positioned: LanePosition[] = lanes.map(({ provider, top: at, height, layout }) => ({
    provider,
    top: at,
    height,
    layout,
  }));
  const ended = folded.map(({ provider }) => provider);
  return { lanes, idle, ended, holds: layHolds(positioned, panel.commands), height: top };
}

type Drawn = Readonly<{
  provider: string;
  summaries: readonly CommandSummary[];
  layout: LaneLayout;
  status: ProviderStatus;
  first: CommandSummary | null;
}>;

function placeIn(order: readonly string[], { provider }: Drawn): number {
  const at = order.indexOf(provider);
  return at < 0 ? order.length : at;
}

/** Ended sessions, while others still work or if there are many. */
function toFold(all: readonly Drawn[], now: number): readonly Drawn[] {
  const ended = all.filter((lane) => urgency(lane, now) === URGENCIES.indexOf('ended'));
  return ended.length < all.length || ended.length > MAX_ENDED ? ended : [];
}

/** Running and thinking are the same: lanes that changed places with every call would be unreadable. */
const URGENCIES = ['asking', 'failed', 'waiting', 'working', 'ended'] as const;

function urgency({ first, status, summaries }: Drawn, now: number): number {
  return URGENCIES.indexOf(urgencyOf(first, status, { summaries, now }));
}

function urgencyOf(
  first: CommandSummary | null,
  status: ProviderStatus,
  { summaries, now }: Readonly<{ summaries: readonly CommandSummary[]; now: number }>,
): (typeof URGENCIES)[number] {
  const phase = first === null ? 'done' : phaseOf(first);
  if (phase === 'person') return 'asking';
  if (summaries.some((summary) => needsAttention(summary) && (summary.endedAt ?? 0) >= now - RECENT_MS))
    return 'failed';
  if (phase === 'waiting') return 'waiting';
  return phase === 'done' && status.kind === 'ended' ? 'ended' : 'working';
}

/** The longest wait comes first; all others keep their order. */
function waitingSince({ first }: Drawn): number {
  if (first === null) return 0;
  return first.askedAt ?? (first.state === 'queued' ? (first.queuedAt ?? 0) : 0);
}

/** Whether the filter counts this lane. */
export function isOf(filter: LaneFilter, now: number, summary: CommandSummary): boolean {
  switch (filter) {
    case 'asking':
      return summary.state === 'awaiting_approval';
    case 'waiting':
      return summary.state === 'queued';
    case 'running':
      return summary.state === 'running';
    case 'refused':
      return isRefused(summary) && (summary.endedAt ?? 0) >= now - HOUR_MS;
  }
}

function isRefused({ outcome }: CommandSummary): boolean {
  return outcome === 'denied' || outcome === 'blocked' || outcome === 'conflict';
}

function heightOf(rows: number, least: number): number {
  return rows === 1 ? least : Math.max(least, 40 * rows + 8);
}

const ATTENTION = ['person', 'waiting', 'running', 'judged', 'done'] as const;

/** The command to look at first: pending, waiting, running, last ended. */
function firstOf(summaries: readonly CommandSummary[]): CommandSummary | null {
  let first: CommandSummary | null = null;
  for (const summary of summaries) if (first === null || comesBefore(summary, first)) first = summary;
  return first;
}

function comesBefore(a: CommandSummary, b: CommandSummary): boolean {
  const [rankA, rankB] = [ATTENTION.indexOf(phaseOf(a)), ATTENTION.indexOf(phaseOf(b))];
  return rankA === rankB ? (a.endedAt ?? a.submittedAt) > (b.endedAt ?? b.submittedAt) : rankA < rankB;
}

function taskOf(
  provider: string,
  summaries: readonly CommandSummary[],
  { sessions, tasks }: Pick<Panel, 'sessions' | 'tasks'>,
): string {
  const own = [...sessions.values()].filter((session) => session.provider === provider);
  const running = own.find(({ state }) => state === 'running');
  const latest = summaries.at(-1)?.sessionId ?? '';
  const task = running?.task ?? tasks.get(latest) ?? own[0]?.task;
  if (task !== undefined) return task;
  return summaries.length === 0
    ? 'No call yet'
    : summaries.length === 1
      ? '1 call'
      : `${summaries.length} calls`;
}
