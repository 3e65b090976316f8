import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LoadedSettings, mergeSources } from '../../runtime/settings/merge-sources.ts';
import { readYaml } from '../../runtime/settings/settings-source.ts';
import type { SettingsOnDisk } from '../../runtime/settings/watch-settings.ts';
import { SCRIPTS } from './scripts.ts';

/**
 * The demo's settings: those of the shop's `signalbox.yaml`, as a file of the user's own, plus providers for the
 * scripted models, without keys.
 *
 * @param modelUrl Of the model server.
 */
export function demoSettings(workspace: string, modelUrl: string): SettingsOnDisk {
  const file = join(workspace, 'signalbox.yaml');
  return {
    files: [file],
    async load(): Promise<LoadedSettings> {
      const written = readYaml('signalbox.yaml', 'local', { text: await readFile(file, 'utf8') });
      return { ...(await mergeSources([written, scriptedProviders(modelUrl)], {})), fileNotes: [] };
    },
  };
}

function scriptedProviders(modelUrl: string): LoadedSettings['sources'][number] {
  const providers = Object.fromEntries(
    SCRIPTS.map(({ provider, model }) => [
      provider,
      {
        ...(provider === 'anthropic'
          ? { api: 'anthropic-messages', base_url: modelUrl }
          : { api: 'openai-chat', base_url: `${modelUrl}/v1` }),
        model,
        api_key_env: null,
        // Scripted models cost nothing.
        prices: { input_per_million: 0, output_per_million: 0 },
      },
    ]),
  );
  return {
    name: 'the demo',
    kind: 'local',
    value: { providers },
    lineOf: () => null,
    pictureOf: () => undefined,
  };
}
