import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { SHARED_FILE, STATE_FOLDER } from '../workspace/state-folder.ts';
import type { FileNote } from './merge-sources.ts';
import { type OwnFile, readOwnFile } from './own-file.ts';
import { readShared } from './shared-file.ts';

export type SettingsLocation = Readonly<{
  /** The workspace. Settings are looked up here, not in parent folders. */
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
}>;

export const LOCAL_FILE = join(STATE_FOLDER, 'local.yaml');

/**
 * Notes about the files themselves: one that is not a regular file, one that is not confirmed.
 *
 * @throws {SettingsFileError} for a shared file that can't be read
 */
export async function readFileNotes(backend: SettingsLocation): Promise<readonly FileNote[]> {
  const own = await ownFileOf(backend);
  return notesOn(readShared(settingsFiles(backend).shared, undefined), own.isConfirmed);
}

/** About the shared file, and about an unconfirmed one. */
export function notesOn(
  { notes }: Readonly<{ notes: readonly FileNote[] }>,
  isYours: boolean,
): readonly FileNote[] {
  return [...notes, ...(isYours ? [] : [UNCONFIRMED])];
}

const UNCONFIRMED: FileNote = {
  path: [],
  message: `${LOCAL_FILE} is not confirmed: it was changed outside Signalbox, or came with the repository. It can only tighten settings until you confirm it: signalbox config trust`,
  fix: 'signalbox config trust',
};

/** Your own file of this workspace, and whether it is yours. */
export function ownFileOf(backend: SettingsLocation): Promise<OwnFile> {
  const { user, yours } = settingsFiles(backend);
  return readOwnFile({ directory: backend.directory, file: yours, configFolder: dirname(user) });
}

/** Paths of the three files, whether they exist or not. */
export function settingsFiles({
  directory,
  env,
}: SettingsLocation): Readonly<{ user: string; shared: string; yours: string }> {
  const configHome = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config');
  return {
    user: join(configHome, 'signalbox', 'config.yaml'),
    shared: join(directory, SHARED_FILE),
    yours: join(directory, LOCAL_FILE),
  };
}
