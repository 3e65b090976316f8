import type { ProviderId, Settings, Trust } from '@signalbox/core';

/** As a call of that provider would be judged: `signalbox exec` of the person is trusted, whatever settings say. */
export function trustOf(provider: ProviderId, { providers }: Pick<Settings, 'providers'>): Trust {
  return provider === 'you' ? 'trusted' : (providers[provider]?.trust ?? 'provisional');
}
