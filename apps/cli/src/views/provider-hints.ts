import { defaultSettings, type Event, type ProviderSettings } from '@signalbox/core';
import { as, type Line, line } from '../terminal/line.ts';

/** A hint for each provider whose last turn failed: the setting most likely wrong. Empty for temporary failures. */
export function providerHints(
  events: readonly Event[],
  providers: Readonly<Record<string, ProviderSettings>>,
): readonly Line[] {
  const last = new Map<string, Event>();
  for (const event of events)
    if (event.type === 'turn_failed' || event.type === 'turn_ended') last.set(event.provider, event);
  return [...last].flatMap(([id, event]) => {
    const settings = providers[id];
    if (event.type !== 'turn_failed' || settings === undefined) return [];
    const hint = hintOf(event.kind, id, settings);
    return hint === null ? [] : [line(as('warn', `${id}: `), hint)];
  });
}

/** The setting most likely wrong after such a failure; null for temporary ones. */
export function hintOf(
  kind: string,
  id: string,
  { api_key_env, base_url, model }: ProviderSettings,
): string | null {
  switch (kind) {
    case 'Auth':
      return api_key_env === null
        ? `it needs a key: name its variable in providers.${id}.api_key_env`
        : `its key was rejected: is ${api_key_env} right?`;
    case 'Quota':
      return 'its account has no credit left';
    case 'InvalidParameters':
      return `is its model right? ${model}`;
    case 'NetworkError':
    case 'Timeout':
    case 'Truncated':
      if (base_url !== defaultSettings().providers[id]?.base_url) return `is its base_url right? ${base_url}`;
      // A preset's address is right.
      return /^https?:\/\/(?:127\.0\.0\.1|localhost)\b/.test(base_url)
        ? `does it run? ${base_url}`
        : `cannot reach ${base_url}: is this machine online?`;
    default:
      return null;
  }
}
