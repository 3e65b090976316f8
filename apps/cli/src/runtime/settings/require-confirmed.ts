import type { ProviderInfo } from '@signalbox/api';
import { type ProviderSettings, UsageError } from '@signalbox/core';
import { quoteWord } from '../../terminal/quote-word.ts';
import { LOCAL_FILE } from './settings-files.ts';

/**
 * No task or code of a workspace goes to an address that the user has not confirmed.
 *
 * @throws {UsageError} `unconfirmed-provider`
 */
export function requireConfirmed(id: string, provider: ProviderSettings): void {
  const unconfirmed = unconfirmedOf(id, provider);
  if (unconfirmed === null) return;
  const { file, url, next } = unconfirmed;
  throw new UsageError(
    'unconfirmed-provider',
    `Cannot start provider "${id}": ${file} sends it to "${url}", and that is not confirmed here`,
    { next: [next] },
  );
}

/** What the user has not confirmed of a provider, and the line that confirms it; null if nothing is missing. */
export function unconfirmedOf(
  id: string,
  { unconfirmed_in: file, base_url: url }: ProviderSettings,
): ProviderInfo['unconfirmed'] {
  if (file === null) return null;
  const own = `signalbox config set providers.${id}.base_url ${quoteWord(url)}`;
  return { file, url, next: file === LOCAL_FILE ? 'signalbox config trust' : own };
}
