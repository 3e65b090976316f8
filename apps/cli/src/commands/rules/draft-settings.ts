import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Settings } from '@signalbox/core';
import { type LoadedSettings, mergeSources } from '../../runtime/settings/merge-sources.ts';
import { SettingsFileError } from '../../runtime/settings/settings-file-error.ts';
import { readYaml, type SettingsSource } from '../../runtime/settings/settings-source.ts';

/**
 * The settings with a draft instead of `signalbox.yaml`, its rules trusted.
 *
 * @throws {SettingsFileError} for a draft with a mistake
 */
export async function draftSettings(
  { sources }: LoadedSettings,
  draft: { readonly file: string; readonly cwd: string },
): Promise<Settings> {
  const source = await readDraft(draft);
  const kept = sources.filter(({ kind }) => kind === 'user');
  const yours = sources.filter(({ kind }) => kind === 'local');
  const { settings } = await mergeSources([...kept, source, ...yours], { isTrusted: () => true });
  return settings;
}

async function readDraft({ file, cwd }: { file: string; cwd: string }): Promise<SettingsSource> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new SettingsFileError(`Cannot read ${file}`, { why: [String(error)] });
  }
  return readYaml(file, 'workspace', { text });
}
