import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatPath, mergeLayers, type Note, type Problem, type Settings } from '@signalbox/core';
import { environmentSettings } from './environment-settings.ts';
import { isTrackedByGit } from './is-tracked-by-git.ts';
import { originOf } from './origin-of.ts';
import { SettingsFileError } from './settings-file-error.ts';
import { readYaml, type SettingsSource } from './settings-source.ts';
import { readTrustedRules } from './trusted-rules.ts';

export type LoadedSettings = Readonly<{
  settings: Settings;
  /** What is legal and still does not do what it says. */
  notes: readonly Note[];
  /** From the weakest to the strongest. */
  sources: readonly SettingsSource[];
}>;

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
 * @throws {SettingsFileError} for the first mistake, with a picture of it.
 */
export async function loadSettings(place: Place): Promise<LoadedSettings> {
  const files = settingsFiles(place);
  const sources = [
    ...(await readSource(files.user, 'user', files.user)),
    ...(await readSource(SHARED_FILE, 'workspace', files.shared)),
    ...(await readSource(LOCAL_FILE, await kindOfYours(place), files.yours)),
    ...environmentSettings(place.env),
  ];
  const layers = sources.map(({ name, kind, value, lineOf }) => ({ kind, source: name, value, lineOf }));
  const { isTrusted } = await readTrustedRules(dirname(files.user), place.directory);
  const merged = mergeLayers(layers, { withoutSandbox: place.withoutSandbox ?? false, isTrusted });
  if (merged.kind === 'invalid') throw problemsInSettings(merged.problems, sources);
  if (merged.settings.rules.length > 0) {
    // The classifier is large: who has no rules waits for none of it.
    const { checkRules } = await import('@signalbox/policy');
    const wrong = checkRules(merged.settings.rules);
    if (wrong.length > 0) throw problemsInSettings(wrong, sources);
  }
  return { settings: merged.settings, notes: merged.notes, sources };
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
    if (isMissing(error)) return [];
    if (error instanceof SettingsFileError) throw error;
    throw new SettingsFileError(`Cannot read ${name}`, { why: [String(error)] });
  }
}

type FoundProblem = Problem & Readonly<{ source?: string }>;

/** The first of these problems, with a picture of its place. */
export function problemsInSettings(
  problems: readonly FoundProblem[],
  sources: readonly SettingsSource[],
): SettingsFileError {
  const [first, ...others] = problems;
  if (first === undefined) return new SettingsFileError('Cannot read the settings', {});
  const isUnknownKey = first.message.startsWith('no key');
  const source =
    sources.find(({ name }) => name === first.source) ?? originOf(sources, first.path.slice(0, -1));
  const key = formatPath(first.path);
  return new SettingsFileError(
    `Cannot read ${source?.name ?? 'the settings'}: ${isUnknownKey || key === '' ? '' : `${key} `}${first.message}`,
    {
      why: [
        ...(isUnknownKey ? ['unknown keys are refused, so that a misspelt rule is never a missing one'] : []),
        ...others.slice(0, 5).map(({ path, message }) => `also: ${formatPath(path)} ${message}`),
      ],
      next: [
        ...(first.didYouMean === undefined ? [] : [`did you mean ${first.didYouMean}?`]),
        'signalbox config schema      lists every key',
      ],
      picture:
        source?.pictureOf(first.path, isUnknownKey ? 'key' : 'value') ??
        source?.pictureOf(first.path.slice(0, -1), 'key'),
    },
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
