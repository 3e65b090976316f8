import { formatPath, nearestWord, settingsWriter, type SettingsPath, UsageError } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, muted } from '../../terminal/line.ts';
import { tableLines } from '../../terminal/table.ts';
import { flow } from '../../runtime/settings/changed-yaml.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import type { LoadedSettings } from '../../runtime/settings/merge-sources.ts';
import { originOf } from '../../runtime/settings/origin-of.ts';
import { noteLine } from '../../runtime/settings/note-line.ts';

/** `signalbox config list`: every effective setting, user-set ones first. */
export async function listSettings(
  { origin }: { readonly origin: boolean },
  context: Context,
): Promise<ExitCode> {
  const loaded = await loadSettings(context);
  tell(commonFirst(rowsOf(loaded)), origin, context);
  context.say(loaded.notes.map(noteLine));
  return EXIT.ok;
}

/** `signalbox config get KEY`: one setting, or a section, with its source. */
export async function getSetting(key: string | undefined, context: Context): Promise<ExitCode> {
  if (key === undefined)
    throw new UsageError('usage', 'Cannot get a setting: name one', { next: ['signalbox config list'] });
  tell(rowsBelow(await loadSettings(context), key), true, context);
  return EXIT.ok;
}

type Row = Readonly<{
  key: string;
  value: unknown;
  /** As written in a file. */
  written: unknown;
  origin: string;
  isDefault: boolean;
}>;

function tell(rows: readonly Row[], origin: boolean, context: Context): void {
  context.answer({
    json: () =>
      Object.fromEntries(rows.map(({ key, value, origin: from }) => [key, { value, origin: from }])),
    lines: (render) =>
      tableLines(
        [{ title: 'KEY' }, { title: 'VALUE', gives: 'end' }, ...(origin ? [{ title: 'FROM' }] : [])],
        rows.map((row) => [row.key, as('bold', flow(row.written)), ...(origin ? [muted(row.origin)] : [])]),
        render,
      ),
  });
}

/** Most often set. */
const COMMON: readonly string[] = [
  'tests',
  'lint',
  'budget',
  'mode',
  'approval.approval_mode',
  'approval.expiry',
  'approval.on_expiry',
  'agents.tool_execution.max_iterations',
  'agents.tool_execution.auto_approve_tools',
  'sandbox.resource_limits.max_memory_mb',
  'sandbox.resource_limits.timeout_ms',
  'execution.max_concurrent_executions',
  'rules',
];

/** The common ones, then user-set ones, then the rest in the order of the sections. */
function commonFirst(rows: readonly Row[]): readonly Row[] {
  const common = COMMON.flatMap((key) => rows.filter((row) => row.key === key));
  const others = rows.filter((row) => !common.includes(row));
  return [...common, ...others.filter((row) => !row.isDefault), ...others.filter((row) => row.isDefault)];
}

function rowsOf({ settings, sources }: LoadedSettings): readonly Row[] {
  const write = settingsWriter();
  return leaves(settings, []).map(({ path: inside, value }) => {
    const path = asInFile(inside);
    const source = originOf(sources, path);
    const at = source?.lineOf(path) ?? null;
    const isDefault = source === undefined;
    return {
      key: formatPath(path),
      value,
      written: write(path, value),
      origin: isDefault ? 'default' : at === null ? source.name : `${source.name}:${at}`,
      isDefault,
    };
  });
}

/** In a file, settings of one tool are directly below `tools`. */
function asInFile(path: SettingsPath): SettingsPath {
  const [section, name, ...rest] = path;
  return section === 'tools' && name === 'policies' && rest.length > 0 ? ['tools', ...rest] : path;
}

function rowsBelow(loaded: LoadedSettings, key: string): readonly Row[] {
  const rows = rowsOf(loaded);
  const found = rows.filter((row) => row.key === key || row.key.startsWith(`${key}.`));
  if (found.length > 0) return found;
  const meant = nearestWord(
    key,
    rows.map((row) => row.key),
  );
  throw new UsageError('unknown-key', `Cannot find setting "${key}"`, {
    next: [meant === undefined ? 'signalbox config list' : `did you mean: signalbox config get ${meant}`],
  });
}

/** Every value that is not a section. Unconfigured presets are left out. */
function leaves(
  value: unknown,
  path: SettingsPath,
): readonly Readonly<{ path: SettingsPath; value: unknown }>[] {
  const isSection = value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isSection || (path.length > 0 && Object.keys(value).length === 0)) return [{ path, value }];
  if ('configured' in value && value.configured === false) return [];
  return Object.entries(value)
    .filter(([name]) => name !== 'configured' && name !== 'unconfirmed_in')
    .flatMap(([name, inner]) => leaves(inner, [...path, name]));
}
