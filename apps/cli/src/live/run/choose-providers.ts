import type { Assignment } from '@signalbox/coordinator';
import {
  nearestWord,
  type ProviderId,
  ProviderId as ProviderIdSchema,
  type Settings,
  UnavailableError,
  UsageError,
} from '@signalbox/core';
import { requireConfirmed } from '../../runtime/settings/require-confirmed.ts';

type Circumstances = Readonly<{
  settings: Settings;
  env: Readonly<Record<string, string | undefined>>;
}>;

/**
 * Assigns tasks: `-p openai` gets the task, `-p openai=…` its own. Without `-p`, every provider in the settings that
 * has a key, else every preset that has one.
 *
 * @throws {UsageError} `unknown-provider`, `unconfirmed-provider`, or when there is no task
 * @throws {UnavailableError} `missing-api-key` before anything starts
 */
export function chooseProviders(
  given: readonly string[],
  task: string | undefined,
  circumstances: Circumstances,
): readonly Assignment[] {
  if (given.length === 0) {
    const found = providersWithKey(circumstances);
    if (found.length === 0) {
      for (const [id, chosen] of Object.entries(circumstances.settings.providers))
        requireConfirmed(id, chosen);
      throw nobodyHasAKey(circumstances);
    }
    return found.map((provider) => ({ provider, task: taskOf(task, provider) }));
  }
  const wanted = given.map((text) => {
    const equals = text.indexOf('=');
    const provider = known(equals < 0 ? text : text.slice(0, equals), circumstances.settings);
    const chosen = circumstances.settings.providers[provider];
    if (chosen !== undefined) requireConfirmed(provider, chosen);
    return { provider, text: equals < 0 ? task : text.slice(equals + 1) };
  });
  const without = new Map(
    wanted.flatMap(({ provider }) => {
      const keyName = circumstances.settings.providers[provider]?.api_key_env ?? null;
      return keyName !== null && (circumstances.env[keyName] ?? '') === '' ? [[provider, keyName]] : [];
    }),
  );
  if (without.size > 0) throw missingKeys(without, circumstances);
  return wanted.map(({ provider, text }) => ({ provider, task: taskOf(text, provider) }));
}

function taskOf(task: string | undefined, provider: string): string {
  if (task !== undefined && task.trim() !== '') return task;
  throw new UsageError('usage', `Cannot start provider "${provider}": it has no task`, {
    next: ['signalbox run "Make the tests pass"', `signalbox run -p ${provider}="Make the tests pass"`],
  });
}

function known(id: string, settings: Settings): ProviderId {
  const ids = Object.keys(settings.providers);
  const provider = ids.includes(id) ? ProviderIdSchema.safeParse(id).data : undefined;
  if (provider !== undefined) return provider;
  const meant = nearestWord(id, ids);
  throw new UsageError('unknown-provider', `Cannot find provider "${id}"`, {
    why: [`the settings have ${ids.join(', ')}`],
    next: [...(meant === undefined ? [] : [`did you mean: -p ${meant}`]), 'signalbox config get providers'],
  });
}

function providersWithKey({ settings, env }: Circumstances): readonly ProviderId[] {
  const having = Object.entries(settings.providers).filter(
    ([, { api, api_key_env, configured, unconfirmed_in }]) =>
      api !== 'agent' &&
      unconfirmed_in === null &&
      // A local model is used only if the settings name it: it may not be running.
      ((api_key_env === null && configured) || (api_key_env !== null && (env[api_key_env] ?? '') !== '')),
  );
  const named = having.filter(([, { configured }]) => configured);
  return (named.length > 0 ? named : having).map(([id]) => ProviderIdSchema.parse(id));
}

/** @param without The names of the missing keys, by provider. */
function missingKeys(
  without: ReadonlyMap<ProviderId, string>,
  circumstances: Circumstances,
): UnavailableError {
  const ids = [...without.keys()];
  const names = [...new Set(without.values())];
  const others = providersWithKey(circumstances).filter((other) => !without.has(other));
  const quoted = ids.map((id) => `"${id}"`).join(', ');
  return new UnavailableError(
    'missing-api-key',
    ids.length === 1
      ? `Cannot start provider ${quoted}: it has no API key`
      : `Cannot start providers ${quoted}: they have no API keys`,
    {
      why: [
        `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} not set; .env files are deliberately not read`,
      ],
      next: [
        ...names.map((name) => `export ${name}=…`),
        ...others.slice(0, 1).map((other) => `-p ${other}`),
        'signalbox demo   needs no key',
      ],
    },
  );
}

function nobodyHasAKey({ settings }: Circumstances): UnavailableError {
  const names = Object.values(settings.providers).flatMap(({ api_key_env }) => api_key_env ?? []);
  return new UnavailableError('missing-api-key', 'Cannot start: no provider has an API key', {
    why: [`none of ${[...new Set(names)].join(', ')} is set; .env files are deliberately not read`],
    next: [
      'export OPENAI_API_KEY=…',
      'signalbox run "…" -p ollama   with a model on this machine',
      'signalbox demo   needs no key',
    ],
  });
}
