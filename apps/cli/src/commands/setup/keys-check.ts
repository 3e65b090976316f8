import { defaultSettings, namedProviders, type Settings } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import type { DoctorCheck } from '../../views/doctor-view.ts';

/** Whether the configured providers can be used: their key is in the environment, or they need none. */
export async function keysCheck(context: Context): Promise<DoctorCheck> {
  // Settings that can't be read have a check of their own.
  const settings = await loadSettings(context).then(
    (loaded) => loaded.settings,
    () => defaultSettings(),
  );
  const { providers } = settings;
  const named = new Map(namedProviders(settings).map(({ id, key }) => [id, key]));
  const asked = Object.entries(providers).filter(
    ([, { api, unconfirmed_in }]) => api !== 'agent' && unconfirmed_in === null,
  );
  const withKey = asked.filter(([, provider]) => hasKey(provider, context.env)).map(([id]) => id);
  const withoutNeed = asked
    .filter(([, { api_key_env, configured }]) => api_key_env === null && configured)
    .map(([id]) => `${id} (needs none)`);
  const missing = asked.flatMap(([id, provider]) =>
    (provider.configured || named.has(id)) && provider.api_key_env !== null && !hasKey(provider, context.env)
      ? [{ id, name: provider.api_key_env, key: named.get(id) }]
      : [],
  );
  const ready = [...withKey, ...withoutNeed].join(', ');
  const lacking = missing.map(
    ({ id, name, key }) =>
      `${id} has none: ${name} is not set${key === undefined ? '' : `, and ${key} names it`}`,
  );
  return {
    id: 'API keys',
    ok: ready !== '' && missing.length === 0,
    stops: false,
    why:
      ready === '' && missing.length === 0
        ? 'none found (not needed for the demo or a local model)'
        : [...(ready === '' ? [] : [ready]), ...lacking].join('; '),
    fix:
      missing[0] === undefined
        ? 'export OPENAI_API_KEY=…   (or ANTHROPIC_API_KEY, DEEPSEEK_API_KEY)'
        : `export ${missing[0].name}=…`,
  };
}

function hasKey(
  { api_key_env }: Settings['providers'][string],
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return api_key_env !== null && (env[api_key_env] ?? '') !== '';
}
