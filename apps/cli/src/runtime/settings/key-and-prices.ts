import type { TokenPrices } from '@signalbox/coordinator';
import { type ProviderSettings, UnavailableError } from '@signalbox/core';

/** Local servers require a key and check none. */
const NO_KEY = 'none';

/** @throws {UnavailableError} `missing-api-key` */
export function keyOf(
  id: string,
  { api_key_env }: ProviderSettings,
  apiKeys: Readonly<Record<string, string | undefined>>,
): string {
  if (api_key_env === null) return NO_KEY;
  const key = apiKeys[api_key_env];
  if (key !== undefined && key !== '') return key;
  throw new UnavailableError('missing-api-key', `Cannot start provider "${id}": it has no API key`, {
    why: [`${api_key_env} is not set; .env files are deliberately not read`],
    next: [`export ${api_key_env}=…`, 'signalbox demo   needs no key'],
  });
}

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
