import { lstat, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { quoteWord } from '../frame/quote-word.ts';
import { readAgreedServers } from './agreed-servers.ts';
import { environmentSettings } from './environment-settings.ts';
import { isTrackedByGit } from './is-tracked-by-git.ts';
import { type LoadedSettings, mergeSources } from './merge-sources.ts';
import { SettingsFileError } from './settings-file-error.ts';
import { readYaml, type SettingsSource } from './settings-source.ts';
import { readTrustedRules } from './trusted-rules.ts';

type Place = Readonly<{
  /** The workspace. Settings are looked for here, not above it. */
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The operator's flag on the command line; no file can say so. Default false. */
  withoutSandbox?: boolean;
}>;

export const SHARED_FILE = 'signalbox.yaml';
export const LOCAL_FILE = join('.signalbox', 'local.yaml');

/**
 * The settings that count in a workspace: `SIGNALBOX_*`, then `.signalbox/local.yaml` (yours), then
 * `signalbox.yaml` (shared), then your own file for all workspaces, then the defaults. In what keeps a person
 * safe the strictest wins instead, and a shared file only tightens.
 *
 * @param drafts Texts that are read in the place of what stands in these files, by absolute path. Default: none.
 * @throws {SettingsFileError} for the first mistake, with a picture of it.
 */
export async function loadSettings(
  place: Place,
  drafts: ReadonlyMap<string, string> = new Map(),
): Promise<LoadedSettings> {
  const files = settingsFiles(place);
  const read = async (name: string, kind: SettingsSource['kind'], file: string) => {
    const draft = drafts.get(file);
    return draft === undefined ? readSource(name, kind, file) : [readYaml(name, kind, draft)];
  };
  const sources = [
    ...(await read(files.user, 'user', files.user)),
    ...(await read(SHARED_FILE, 'workspace', files.shared)),
    ...(await read(LOCAL_FILE, await kindOfYours(place), files.yours)),
    ...environmentSettings(place.env),
  ];
  const { isTrusted } = await readTrustedRules(dirname(files.user), place.directory);
  const { isAgreed } = await readAgreedServers(dirname(files.user), place.directory);
  return mergeSources(sources, { withoutSandbox: place.withoutSandbox ?? false, isTrusted, isAgreed });
}

/** A file of yours that came with the repository is not yours. */
async function kindOfYours({ directory }: Place): Promise<'local' | 'workspace'> {
  return (await isTrackedByGit(directory, LOCAL_FILE)) ? 'workspace' : 'local';
}

/** Where the three files are looked for, whether they exist or not. */
export function settingsFiles({
  directory,
  env,
}: Place): Readonly<{ user: string; shared: string; yours: string }> {
  const configHome = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config');
  return {
    user: join(configHome, 'signalbox', 'config.yaml'),
    shared: join(directory, SHARED_FILE),
    yours: join(directory, LOCAL_FILE),
  };
}

async function readSource(
  name: string,
  kind: SettingsSource['kind'],
  file: string,
): Promise<readonly SettingsSource[]> {
  try {
    return [readYaml(name, kind, await readFile(file, 'utf8'))];
  } catch (error) {
    if (error instanceof SettingsFileError) throw error;
    if (!isMissing(error)) throw new SettingsFileError(`Cannot read ${name}`, { why: [messageOf(error)] });
    if (!(await isLink(file))) return [];
    throw new SettingsFileError(`Cannot read ${name}: it is a link to nothing`, {
      next: [`Mend the link, or remove it: rm ${quoteWord(file)}`],
    });
  }
}

/** A link that leads nowhere is no file that is missing: somebody wants settings to count. */
async function isLink(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
