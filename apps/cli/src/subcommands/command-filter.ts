import { Outcome, type OutcomeKind, type PageFilter, type ProviderId, UsageError } from '@signalbox/core';
import { nearest } from '../frame/nearest.ts';

/** What the filter flags of `commands` and `history` mean. */
export function toCommandFilter(
  args: Readonly<{
    provider?: ProviderId | undefined;
    tool?: string | undefined;
    outcome?: readonly string[] | undefined;
    since?: number | undefined;
    limit?: number | undefined;
    cursor?: string | undefined;
  }>,
  now: number,
): PageFilter {
  return {
    ...(args.provider === undefined ? {} : { provider: args.provider }),
    ...(args.tool === undefined ? {} : { tool: args.tool }),
    ...(args.outcome === undefined ? {} : { outcomes: args.outcome.map(outcomeOf) }),
    ...(args.since === undefined ? {} : { from: now - args.since }),
    ...(args.limit === undefined ? {} : { limit: args.limit }),
    ...(args.cursor === undefined ? {} : { cursor: args.cursor }),
  };
}

const OUTCOMES: readonly OutcomeKind[] = Outcome.options.map((option) => option.unwrap().shape.kind.value);

function outcomeOf(word: string): OutcomeKind {
  const known = OUTCOMES.find((kind) => kind === word);
  if (known !== undefined) return known;
  const meant = nearest(word, OUTCOMES);
  throw new UsageError('usage', `Cannot filter by outcome "${word}": there is none of that name`, {
    why: [`one of ${OUTCOMES.join(', ')}`],
    next: meant === undefined ? [] : [`did you mean: --outcome ${meant}`],
  });
}
