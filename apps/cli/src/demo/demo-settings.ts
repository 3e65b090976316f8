import { parse } from 'yaml';
import { InvariantError, parseSettings, type Settings } from '@signalbox/core';
import { SCRIPTS } from './scripts.ts';
import { SHOP } from './shop.ts';

/**
 * The settings that the demo runs under: those of the shop's `signalbox.yaml`, and providers that speak to
 * the scripted models, without keys.
 *
 * @param modelUrl Of the model server.
 */
export function demoSettings(modelUrl: string): Settings {
  const written = parse(SHOP['signalbox.yaml'] ?? '') as Readonly<Record<string, unknown>>;
  const providers = Object.fromEntries(
    SCRIPTS.map(({ provider, model }) => [
      provider,
      {
        ...(provider === 'anthropic'
          ? { api: 'anthropic-messages', base_url: modelUrl }
          : { api: 'openai-chat', base_url: `${modelUrl}/v1` }),
        model,
        api_key_env: null,
        // Nothing is paid for.
        prices: { input_per_million: 0, output_per_million: 0 },
      },
    ]),
  );
  const parsed = parseSettings({ ...written, providers });
  if (parsed.kind === 'ok') return parsed.settings;
  throw new InvariantError('Cannot read the settings of the demo', {
    why: parsed.problems.map(({ path, message }) => `${path.join('.')}: ${message}`),
  });
}
