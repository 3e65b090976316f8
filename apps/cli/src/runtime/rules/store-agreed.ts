import type { HostPattern, NetworkProfile } from '@signalbox/core';
import { loadDraft } from './draft.ts';
import { openSettingsFile, type SettingsFile } from './settings-files.ts';
import type { Context } from '../contract/context.ts';
import { changedYaml } from '../settings/changed-yaml.ts';
import type { LoadedSettings } from '../settings/merge-sources.ts';

/** New lists for the user's own file; an absent profile stays as it is. */
export type HostListChange = Readonly<Partial<Record<NetworkProfile, readonly HostPattern[]>>>;

export type StoredAgreement = Readonly<{ file: SettingsFile; after: string; loaded: LoadedSettings }>;

/** Writes them into the file that only the user writes; refuses if the settings would not load. */
export async function storeAgreed(
  change: HostListChange,
  context: Pick<Context, 'directory' | 'env'>,
): Promise<StoredAgreement> {
  const file = await openSettingsFile('local', context);
  const after = Object.entries(change).reduce(
    (text, [profile, hosts]) =>
      changedYaml(file.name, text, {
        path: ['sandbox', 'network', 'agreed', profile],
        value: hosts.length === 0 ? undefined : [...hosts],
      }),
    file.text ?? '',
  );
  const loaded = await loadDraft('allow these hosts', new Map([[file.path, after]]), context);
  if (after !== file.text) await file.write(after);
  return { file, after, loaded };
}
