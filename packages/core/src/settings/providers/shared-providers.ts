import type { Note } from '../layers/clamp-settings.ts';
import { PROVIDER_PRESETS } from './provider-presets.ts';
import { getIn, isRecord, setIn, type SettingsPath } from '../keys/settings-path.ts';

/**
 * Keeps your sessions and your keys from addresses that a repository chose: they go only where a preset or a file of
 * your own sends them.
 *
 * @param merged all files together; @param own the user's files alone; @param shared the repository's
 * @param sourceOf the shared file that sets this
 */
export function guardProviders(
  merged: unknown,
  { own, shared, sourceOf }: { own: unknown; shared: unknown; sourceOf: (path: SettingsPath) => string },
): { value: unknown; notes: readonly SourceNote[]; unconfirmed: ReadonlyMap<string, string> } {
  const notes: SourceNote[] = [];
  const unconfirmed = new Map<string, string>();
  let value = merged;
  const providers = getIn(shared, ['providers']);
  for (const id of isRecord(providers) ? Object.keys(providers) : []) {
    const at = ['providers', id] as const;
    const trusted = { ...presetOf(id), ...endpointOf(getIn(own, at)) };
    const theirs = endpointOf(getIn(shared, at));
    if (endpointOf(getIn(own, at)).base_url !== undefined)
      value = setIn(value, [...at, 'base_url'], { next: trusted.base_url });
    const isElsewhere =
      theirs.base_url !== undefined && getIn(value, [...at, 'base_url']) !== trusted.base_url;
    const isOther = theirs.api_key_env !== undefined && theirs.api_key_env !== trusted.api_key_env;
    if (isElsewhere) {
      const path = [...at, 'base_url'];
      const source = sourceOf(path);
      unconfirmed.set(id, source);
      value = setIn(value, [...at, 'api_key_env'], { next: null });
      notes.push({
        path,
        source,
        message: `provider "${id}" is not used: ${source} sends it to "${theirs.base_url}", and that is not confirmed here`,
      });
    } else if (isOther && theirs.api_key_env !== null) {
      const path = [...at, 'api_key_env'];
      const source = sourceOf(path);
      value = setIn(value, path, { next: trusted.api_key_env ?? null });
      notes.push({
        path,
        source,
        message: `"${theirs.api_key_env}" is not read: ${source} names it for "${id}", and that is not confirmed here`,
      });
    }
  }
  return { value, notes, unconfirmed };
}

type SourceNote = Note & { readonly source: string };

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
