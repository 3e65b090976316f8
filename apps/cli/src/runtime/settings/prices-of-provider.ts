import type { TokenPrices } from '@signalbox/coordinator';
import type { ProviderSettings } from '@signalbox/core';

/** What its tokens cost; null: unknown. */
export function pricesOf({ prices }: ProviderSettings): TokenPrices | null {
  if (prices === null) return null;
  return {
    inputPerMillion: prices.input_per_million,
    cachedInputPerMillion: prices.cached_input_per_million,
    cacheWritePerMillion: prices.cache_write_per_million,
    outputPerMillion: prices.output_per_million,
  };
}
