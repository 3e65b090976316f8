import type { Usage } from '@signalbox/core';

/** US dollars per million tokens. */
export type TokenPrices = {
  readonly inputPerMillion: number;
  /** Default: as other input. */
  readonly cachedInputPerMillion?: number | undefined;
  /** Default: as other input. */
  readonly cacheWritePerMillion?: number | undefined;
  readonly outputPerMillion: number;
};

/** Cost of a turn in US dollars; `null` without prices. */
export function costOf(usage: Usage, prices: TokenPrices | null): number | null {
  if (prices === null) return null;
  const { inputPerMillion, outputPerMillion } = prices;
  const plainTokens = Math.max(0, usage.inputTokens - usage.cachedInputTokens - usage.cacheWriteTokens);
  const dollars =
    plainTokens * inputPerMillion +
    usage.cachedInputTokens * (prices.cachedInputPerMillion ?? inputPerMillion) +
    usage.cacheWriteTokens * (prices.cacheWritePerMillion ?? inputPerMillion) +
    usage.outputTokens * outputPerMillion;
  return dollars / 1_000_000;
}
