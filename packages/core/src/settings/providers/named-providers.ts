import { nearestWord } from '../keys/nearest-word.ts';
import { getIn, type SettingsPath } from '../keys/settings-path.ts';
import type { SettingsProblem } from '../problem.ts';
import type { Settings } from '../settings.ts';

/** The keys that name a provider for a single purpose; empty: the session's own provider, or none. */
const NAMING: readonly SettingsPath[] = [
  ['agent', 'compress_provider'],
  ['agent', 'tool_filter', 'embed_provider'],
  ['tools', 'retry', 'parameter_reformat_provider'],
  ['tools', 'adversarial_policy', 'policy_provider'],
];

/** A provider that the settings name for a purpose, and the key that names it. */
export type NamedProvider = { readonly key: string; readonly id: string };

export function namedProviders(settings: Settings): readonly NamedProvider[] {
  return NAMING.flatMap((path) => {
    const id = getIn(settings, path);
    return typeof id === 'string' && id !== '' ? [{ key: path.join('.'), id }] : [];
  });
}

/** A problem for each key that names no provider which can be asked. */
export function problemsOfNamedProviders(settings: Settings): readonly SettingsProblem[] {
  const { providers } = settings;
  const usable = Object.keys(providers).filter((id) => providers[id]?.api !== 'agent');
  return NAMING.flatMap((path): readonly SettingsProblem[] => {
    const id = getIn(settings, path);
    if (typeof id !== 'string' || id === '' || usable.includes(id)) return [];
    if (Object.hasOwn(providers, id))
      return [{ path, message: `"${id}" is an agent that connects by itself, and can't be asked` }];
    const meant = nearestWord(id, usable);
    const message = `"${id}" is not a provider: the settings have ${usable.join(', ')}`;
    return [{ path, message, ...(meant === undefined ? {} : { didYouMean: meant }) }];
  });
}
