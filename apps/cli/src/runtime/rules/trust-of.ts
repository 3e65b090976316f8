import type { ProviderId, Settings, Trust } from '@signalbox/core';

/** Trust as for a call of that provider. `signalbox exec` of the user is trusted, whatever the settings say. */
export function trustOf(provider: ProviderId, { providers }: Pick<Settings, 'providers'>): Trust {
  return provider === 'you' ? 'trusted' : (providers[provider]?.trust ?? 'provisional');
}
