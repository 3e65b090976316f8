import { errorText } from '@signalbox/core';
import { lstat, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quoteWord } from '../../terminal/quote-word.ts';
import { requireOwnState, SHARED_FILE } from '../workspace/state-folder.ts';
import { readAgreedServers } from './agreed-servers.ts';
import { environmentSettings } from './environment-settings.ts';
import { type LoadedSettings, mergeSources } from './merge-sources.ts';
import { LOCAL_FILE, notesOn, ownFileOf, settingsFiles, type SettingsLocation } from './settings-files.ts';
import { SettingsFileError } from './settings-file-error.ts';
import { readYaml, type SettingsSource } from './settings-source.ts';
import { readShared } from './shared-file.ts';
import { isWithin } from './trusted-hashes.ts';
import { readTrustedRules } from './trusted-rules.ts';

type LoadRequest = SettingsLocation &
  Readonly<{
    /** The operator's flag on the command line; no file can set it. Default false. */
    withoutSandbox?: boolean;
  }>;

/**
 * The effective settings of a workspace: `SIGNALBOX_*`, then `.signalbox/local.yaml` (yours), then `signalbox.yaml`
 * (shared), then your own file for all workspaces, then the defaults. For safety settings the strictest value wins
 * instead, and a shared file can only tighten.
 *
 * @param drafts Texts to use instead of the content of these files, by absolute path. Default: none.
 * @throws {SettingsFileError} for the first mistake, with a picture of it
 * @throws {UnavailableError} `state-unsafe` unless `.signalbox` is a real folder of this account
 */
export async function loadSettings(
  backend: LoadRequest,
  drafts: ReadonlyMap<string, string> = new Map(),
): Promise<LoadedSettings> {
  const files = settingsFiles(backend);
  requireOwnState(backend.directory);
  const shared = readShared(files.shared, drafts.get(files.shared));
  const own = await ownFileOf(backend);
  const draft = drafts.get(files.yours);
  const yours = draft ?? own.text;
  const isYours = draft !== undefined || own.isConfirmed;
  const sources = [
    ...(await userSource(files.user, backend.directory, { draft: drafts.get(files.user) })),
    ...(shared.text === null ? [] : [readYaml(SHARED_FILE, 'workspace', { text: shared.text })]),
    ...(yours === null ? [] : [readYaml(LOCAL_FILE, isYours ? 'local' : 'workspace', { text: yours })]),
    ...environmentSettings(backend.env),
  ];
  const { isTrusted } = await readTrustedRules(dirname(files.user), backend.directory);
  const { isAgreed } = await readAgreedServers(dirname(files.user), backend.directory);
  const options = { withoutSandbox: backend.withoutSandbox ?? false, isTrusted, isAgreed };
  const merged = await mergeSources(sources, options).catch(async (error: unknown) => {
    if (isYours || yours === null || !(error instanceof SettingsFileError)) throw error;
    const asYours = sources.map((source) =>
      source.name === LOCAL_FILE ? { ...source, kind: 'local' as const } : source,
    );
    await mergeSources(asYours, options).catch(() => {
      throw error;
    });
    throw notYetConfirmed(error);
  });
  const fileNotes = notesOn(shared, isYours);
  return { ...merged, notes: [...fileNotes, ...merged.notes], fileNotes };
}

/** The settings are whole once the file counts in full. */
function notYetConfirmed({ message, picture }: SettingsFileError): SettingsFileError {
  return new SettingsFileError(message, {
    why: [`${LOCAL_FILE} is not confirmed, so what it sets beyond tightening does not count yet`],
    next: ['signalbox config trust      shows the file and confirms it'],
    picture,
  });
}

/** A file that commands of the workspace could write counts as the workspace's, not the user's. */
async function userSource(
  file: string,
  workspace: string,
  { draft }: Readonly<{ draft: string | undefined }>,
): Promise<readonly SettingsSource[]> {
  try {
    const text = draft ?? (await readFile(file, 'utf8'));
    return [readYaml(file, isWithin(dirname(file), workspace) ? 'workspace' : 'user', { text })];
  } catch (error) {
    if (error instanceof SettingsFileError) throw error;
    if (!isMissing(error)) throw new SettingsFileError(`Cannot read ${file}`, { why: [errorText(error)] });
    if (!(await isLink(file))) return [];
    throw new SettingsFileError(`Cannot read ${file}: it is a broken link`, {
      next: [`Fix the link, or remove it: rm ${quoteWord(file)}`],
    });
  }
}

/** A dangling link is not a missing file: someone meant settings to apply. */
async function isLink(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
