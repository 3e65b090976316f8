import { formatPath, type SettingsPath, UsageError } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { nearest } from '../frame/nearest.ts';
import { as, muted } from '../screen/line.ts';
import { tableLines } from '../screen/table.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { LoadedSettings } from '../settings/merge-sources.ts';
import { originOf } from '../settings/origin-of.ts';
import { noteLine } from '../views/note-line.ts';

/** `signalbox config list`: every setting that counts here. */
export async function listSettings(
  { origin }: { readonly origin: boolean },
  context: Context,
): Promise<ExitCode> {
  const loaded = await loadSettings(context);
  tell(rowsOf(loaded), origin, context);
  context.say(loaded.notes.map(noteLine));
  return EXIT.ok;
}

/** `signalbox config get KEY`: one setting, or a section, with who set it. */
export async function getSetting(key: string | undefined, context: Context): Promise<ExitCode> {
  if (key === undefined)
    throw new UsageError('usage', 'Cannot get a setting: say which', { next: ['signalbox config list'] });
  tell(rowsBelow(await loadSettings(context), key), true, context);
  return EXIT.ok;
}

type Row = Readonly<{ key: string; value: unknown; origin: string }>;

function tell(rows: readonly Row[], origin: boolean, context: Context): void {
  context.answer({
    json: () =>
      Object.fromEntries(rows.map(({ key, value, origin: from }) => [key, { value, origin: from }])),
    lines: (look) =>
      tableLines(
        [{ title: 'KEY' }, { title: 'VALUE', gives: 'end' }, ...(origin ? [{ title: 'FROM' }] : [])],
        rows.map((row) => [
          row.key,
          as('bold', JSON.stringify(row.value)),
          ...(origin ? [muted(row.origin)] : []),
        ]),
        look,
      ),
  });
}

function rowsOf({ settings, sources }: LoadedSettings): readonly Row[] {
  return leaves(settings, []).map(({ path, value }) => {
    const source = originOf(sources, path);
    const at = source?.lineOf(path) ?? null;
    const place = at === null ? (source?.name ?? 'default') : `${source?.name ?? ''}:${at}`;
    return { key: formatPath(path), value, origin: place };
  });
}

function rowsBelow(loaded: LoadedSettings, key: string): readonly Row[] {
  const rows = rowsOf(loaded);
  const found = rows.filter((row) => row.key === key || row.key.startsWith(`${key}.`));
  if (found.length > 0) return found;
  const meant = nearest(
    key,
    rows.map((row) => row.key),
  );
  throw new UsageError('unknown-key', `Cannot find setting "${key}"`, {
    next: [meant === undefined ? 'signalbox config list' : `did you mean: signalbox config get ${meant}`],
  });
}

/** Every value that is no section. Presets that nobody spoke of are left out. */
function leaves(
  value: unknown,
  path: SettingsPath,
): readonly Readonly<{ path: SettingsPath; value: unknown }>[] {
  const isSection = value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isSection || (path.length > 0 && Object.keys(value).length === 0)) return [{ path, value }];
  if ('configured' in value && value.configured === false) return [];
  return Object.entries(value)
    .filter(([name]) => name !== 'configured')
    .flatMap(([name, inner]) => leaves(inner, [...path, name]));
}
