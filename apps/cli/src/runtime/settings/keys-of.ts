import type { Settings } from '@signalbox/core';
import type { RuntimeOptions } from '../contract/runtime.ts';

/** API keys that must appear nowhere, whatever a provider prints. */
export function keysOf(settings: Settings, apiKeys: RuntimeOptions['apiKeys']): string[] {
  return Object.values(settings.providers).flatMap(({ api_key_env }) => {
    const key = api_key_env === null ? undefined : apiKeys[api_key_env];
    return key === undefined ? [] : [key];
  });
}
