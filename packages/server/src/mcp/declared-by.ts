import type { ProviderId } from '@signalbox/core';
import type { RuntimeServices } from '../server-options.ts';

/** Names of the tools that a provider's settings list; null: no list. */
export function declaredBy(
  provider: ProviderId,
  { contextOf }: Pick<RuntimeServices, 'contextOf'>,
): readonly string[] | null {
  return contextOf(provider).tools ?? null;
}
