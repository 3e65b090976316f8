import type { Note } from './clamp-settings.ts';
import { PROVIDER_PRESETS } from './provider-presets.ts';
import { getIn, isRecord, setIn } from './settings-path.ts';

/**
 * Keeps your keys from addresses that a repository chose: a key goes only where a preset or a file of your own
 * sends it.
 *
 * @param merged all files together; @param own those of the person alone; @param shared the repository's
 */
export function guardKeys(
  merged: unknown,
  own: unknown,
  shared: unknown,
): { value: unknown; notes: readonly Note[] } {
  const notes: Note[] = [];
  let value = merged;
  const providers = getIn(shared, ['providers']);
  for (const id of isRecord(providers) ? Object.keys(providers) : []) {
    const at = ['providers', id] as const;
    const trusted = { ...presetOf(id), ...endpointOf(getIn(own, at)) };
    const theirs = endpointOf(getIn(shared, at));
    if (endpointOf(getIn(own, at)).base_url !== undefined)
      value = setIn(value, [...at, 'base_url'], trusted.base_url);
    const isElsewhere =
      theirs.base_url !== undefined && getIn(value, [...at, 'base_url']) !== trusted.base_url;
    const isOther = theirs.api_key_env !== undefined && theirs.api_key_env !== trusted.api_key_env;
    if (isElsewhere) {
      const key = getIn(value, [...at, 'api_key_env']) ?? trusted.api_key_env ?? null;
      value = setIn(value, [...at, 'api_key_env'], null);
      if (key === null) continue;
      notes.push({
        path: [...at, 'base_url'],
        message: `no key is sent to "${theirs.base_url}", because a shared file names it; put base_url and api_key_env of "${id}" into your own file`,
      });
    } else if (isOther && theirs.api_key_env !== null) {
      value = setIn(value, [...at, 'api_key_env'], trusted.api_key_env ?? null);
      notes.push({
        path: [...at, 'api_key_env'],
        message: `"${theirs.api_key_env}" is not read, because a shared file names it; put api_key_env of "${id}" into your own file`,
      });
    }
  }
  return { value, notes };
}

type Endpoint = { readonly base_url?: string; readonly api_key_env?: string | null };

function presetOf(id: string): Endpoint {
  return Object.hasOwn(PROVIDER_PRESETS, id) ? endpointOf(PROVIDER_PRESETS[id]) : {};
}

function endpointOf(provider: unknown): Endpoint {
  const base = getIn(provider, ['base_url']);
  const key = getIn(provider, ['api_key_env']);
  return {
    ...(typeof base === 'string' ? { base_url: base } : {}),
    ...(typeof key === 'string' || key === null ? { api_key_env: key } : {}),
  };
}
