import {
  canonicalToolName,
  formatPath,
  getIn,
  isUnknownKey,
  mergeLayers,
  type Note,
  type Settings,
  type SettingsProblem,
} from '@signalbox/core';
import { originOf } from './origin-of.ts';
import { SettingsFileError } from './settings-file-error.ts';
import type { SettingsSource } from './settings-source.ts';
import { unknownTools } from './unknown-tools.ts';

const MIB = 1024 ** 2;

/** Says that a whole file is ignored, fully or in part. */
export type FileNote = Note & Readonly<{ /** To paste. */ fix: string }>;

export type MergedSources = Readonly<{
  settings: Settings;
  /** Valid settings that have no effect or another one. */
  notes: readonly Note[];
  /** From the weakest to the strongest. */
  sources: readonly SettingsSource[];
}>;

export type LoadedSettings = MergedSources &
  Readonly<{
    /** The notes about whole files. */
    fileNotes: readonly FileNote[];
  }>;

/**
 * Merges the sources; every rule is usable and its examples hold.
 *
 * @throws {SettingsFileError} for the first mistake, with a picture of it
 */
export async function mergeSources(
  sources: readonly SettingsSource[],
  options: NonNullable<Parameters<typeof mergeLayers>[1]>,
): Promise<MergedSources> {
  const layers = sources.map(({ name, kind, value, lineOf }) => ({ kind, source: name, value, lineOf }));
  const merged = mergeLayers(layers, { bounds: await boundsOf(sources), ...options });
  if (merged.kind === 'invalid') throw problemsInSettings(merged.problems, sources);
  const strangers = await unknownTools(sources, Object.keys(merged.settings.mcp_servers));
  if (strangers.length > 0) throw problemsInSettings(strangers, sources);
  if (merged.settings.rules.length > 0) {
    // The classifier is large and loaded only if there are rules.
    const { checkRules } = await import('@signalbox/policy');
    const wrong = checkRules(merged.settings.rules);
    if (wrong.length > 0) throw problemsInSettings(wrong, sources);
  }
  const { filters } = merged.settings;
  if (filters.off.length + Object.keys(filters.define).length > 0) {
    const [{ checkFilters }, { compileRegex }] = await Promise.all([
      import('@signalbox/filters'),
      import('@signalbox/policy'),
    ]);
    const wrong = checkFilters(filters, compileRegex);
    if (wrong.length > 0) throw problemsInSettings(wrong, sources);
  }
  return { settings: merged.settings, notes: merged.notes, sources };
}

type FoundProblem = SettingsProblem & Readonly<{ source?: string }>;

/** The first of these problems, with a picture of its position. */
function problemsInSettings(
  problems: readonly FoundProblem[],
  sources: readonly SettingsSource[],
): SettingsFileError {
  const [first, ...others] = problems;
  if (first === undefined) return new SettingsFileError('Cannot read the settings', {});
  const isUnknown = isUnknownKey(first);
  const source =
    sources.find(({ name }) => name === first.source) ?? originOf(sources, first.path.slice(0, -1));
  const key = formatPath(first.path);
  return new SettingsFileError(
    `Cannot read ${source?.name ?? 'the settings'}: ${isUnknown || key === '' ? '' : `${key} `}${first.message}`,
    {
      why: [
        ...(isUnknown
          ? ['unknown keys are errors, so that a misspelled rule is never silently missing']
          : []),
        ...others.slice(0, 5).map((other) => `also: ${textOf(other)}`),
      ],
      next: [
        ...(first.didYouMean === undefined ? [] : [`did you mean ${first.didYouMean}?`]),
        'signalbox config schema      lists every key',
      ],
      picture:
        source?.pictureOf(first.path, isUnknown ? 'key' : 'value') ??
        source?.pictureOf(first.path.slice(0, -1), 'key'),
    },
  );
}

function textOf({ path, message, didYouMean }: SettingsProblem): string {
  const hint = didYouMean === undefined ? '' : `; did you mean ${didYouMean}?`;
  return `${formatPath(path)} ${message}${hint}`;
}

/**
 * Values of this machine and of each tool for limits that no file sets, by settings key. Shared files can't exceed
 * them. Computed only if a shared file sets such a limit.
 */
async function boundsOf(sources: readonly SettingsSource[]): Promise<ReadonlyMap<string, number>> {
  const shared = sources.filter(({ kind }) => kind === 'workspace');
  const bounds = new Map<string, number>();
  if (shared.some(({ value }) => getIn(value, ['sandbox', 'resource_limits']) !== undefined)) {
    const { memoryForFiles, memoryLimitBytes } = await import('@signalbox/sandbox');
    bounds.set('sandbox.resource_limits.max_memory_mb', Math.floor(memoryLimitBytes() / MIB));
    bounds.set('sandbox.resource_limits.max_written_mb', Math.floor(memoryForFiles(undefined) / MIB));
  }
  if (shared.some(({ value }) => getIn(value, ['tools']) !== undefined)) {
    const { catalogue } = await import('@signalbox/tools');
    for (const { name, timeoutMs } of catalogue())
      bounds.set(`tools.${canonicalToolName(name)}.timeout`, timeoutMs);
  }
  return bounds;
}
