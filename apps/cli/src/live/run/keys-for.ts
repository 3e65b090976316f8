import type { ProviderId, Settings } from '@signalbox/core';

/** The API keys of these providers that the environment has. */
export function keysFor(
  providers: readonly ProviderId[],
  { settings, env }: Readonly<{ settings: Settings; env: Readonly<Record<string, string | undefined>> }>,
): Readonly<Record<string, string>> {
  const names = providers.map((id) => settings.providers[id]?.api_key_env ?? '');
  return Object.fromEntries(
    names.flatMap((name) => {
      const key = env[name] ?? '';
      return key === '' ? [] : [[name, key] as const];
    }),
  );
}
