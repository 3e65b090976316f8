import {
  addUsage,
  type CompressionMethod,
  type Event,
  type EventLog,
  type ModelRequestPurpose,
  NO_USAGE,
  type ProviderId,
  savedBySession,
  tokensSaved,
  type Usage,
} from '@signalbox/core';

/** Requests to one model for one purpose, outside the turns of sessions. */
export type ModelRequestTotals = {
  readonly purpose: ModelRequestPurpose;
  readonly asked: ProviderId;
  readonly requests: number;
  readonly failed: number;
  readonly usage: Usage;
  /** `null`: its provider has no prices. */
  readonly costUsd: number | null;
};

/** Compressed conversations. */
export type CompressionTotals = Readonly<Record<CompressionMethod, number>> & {
  /** Of all of them, those without a summary. */
  readonly cut: number;
  /** Estimated tokens that the next requests had less. */
  readonly tokensRemoved: number;
};

/** What the tool filter saved. */
export type FilterTotals = {
  /** Turns whose offer it shortened. */
  readonly turns: number;
  /** Estimated tokens of the definitions that it left out. */
  readonly tokensSaved: number;
};

/** What sessions did besides their commands. */
export type SessionStats = {
  readonly toolFilter: FilterTotals;
  readonly modelRequests: readonly ModelRequestTotals[];
  readonly compressions: CompressionTotals;
};

const NO_COMPRESSIONS: CompressionTotals = {
  triggered: 0,
  manual: 0,
  autonomous: 0,
  cut: 0,
  tokensRemoved: 0,
};

export const NO_SESSION_STATS: SessionStats = {
  toolFilter: { turns: 0, tokensSaved: 0 },
  modelRequests: [],
  compressions: NO_COMPRESSIONS,
};

/** Over the kept events from `since` (epoch ms) on; by default all of them. */
export async function sessionStatsOf(
  events: Pick<EventLog, 'eachOfSessions'>,
  since = 0,
): Promise<SessionStats> {
  let stats = NO_SESSION_STATS;
  await events.eachOfSessions((event) => {
    if (event.at >= since) stats = statsAfter(stats, event);
  });
  return stats;
}

function statsAfter(stats: SessionStats, event: Event): SessionStats {
  if (event.type === 'model_request_ended')
    return { ...stats, modelRequests: withRequest(stats.modelRequests, event) };
  if (event.type === 'turn_ended' && event.filter !== undefined) {
    const { turns, tokensSaved: before } = stats.toolFilter;
    const toolFilter = { turns: turns + 1, tokensSaved: before + tokensSaved(savedBySession(event)) };
    return { ...stats, toolFilter };
  }
  if (event.type !== 'context_compressed' || event.how === 'none') return stats;
  const { compressions } = stats;
  const { method, how } = event;
  return {
    ...stats,
    compressions: {
      ...compressions,
      [method]: compressions[method] + 1,
      cut: compressions.cut + Number(how === 'cut'),
      tokensRemoved: compressions.tokensRemoved + tokensSaved(savedBySession(event)),
    },
  };
}

function withRequest(
  all: SessionStats['modelRequests'],
  { purpose, asked, success, usage, costUsd }: Event & { readonly type: 'model_request_ended' },
): SessionStats['modelRequests'] {
  const isSame = (one: ModelRequestTotals): boolean => one.purpose === purpose && one.asked === asked;
  const known = all.find(isSame);
  const before = known ?? { purpose, asked, requests: 0, failed: 0, usage: NO_USAGE, costUsd: null };
  const after: ModelRequestTotals = {
    ...before,
    requests: before.requests + 1,
    failed: before.failed + Number(!success),
    usage: addUsage(before.usage, usage),
    costUsd: costUsd === null ? before.costUsd : (before.costUsd ?? 0) + costUsd,
  };
  return known === undefined ? [...all, after] : all.map((one) => (isSame(one) ? after : one));
}
