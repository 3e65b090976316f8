import { type ProviderSettings, UsageError } from '@signalbox/core';
import { quoteWord } from '../terminal/quote-word.ts';
import { LOCAL_FILE } from './settings/load-settings.ts';

/**
 * No task and no code of a workspace goes to an address that nobody here confirmed.
 *
 * @throws {UsageError} `unconfirmed-provider`
 */
export function requireConfirmed(
  id: string,
  { unconfirmed_in: file, base_url: url }: ProviderSettings,
): void {
  if (file === null) return;
  throw new UsageError(
    'unconfirmed-provider',
    `Cannot start provider "${id}": ${file} sends it to "${url}", and nobody here confirmed that`,
    {
      next:
        file === LOCAL_FILE
          ? ['signalbox config trust']
          : [`signalbox config set providers.${id}.base_url ${quoteWord(url)}`],
    },
  );
}
