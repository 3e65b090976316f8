import { defaultSettings, ProviderId } from '@signalbox/core';

/** Providers of the presets whose API key is in the environment. */
export function keysFound(env: Readonly<Record<string, string | undefined>>): readonly ProviderId[] {
  return Object.entries(defaultSettings().providers).flatMap(([id, { api_key_env }]) =>
    api_key_env !== null && (env[api_key_env] ?? '') !== '' ? [ProviderId.parse(id)] : [],
  );
}
