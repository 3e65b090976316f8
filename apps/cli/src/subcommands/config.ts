import { formatPath, settingsJsonSchema, type SettingsPath, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { nearest } from '../frame/nearest.ts';
import { as, line, muted } from '../screen/line.ts';
import { tableLines } from '../screen/table.ts';
import { loadSettings, settingsFiles } from '../settings/load-settings.ts';
import type { LoadedSettings } from '../settings/merge-sources.ts';
import { originOf } from '../settings/origin-of.ts';

/** `signalbox config list --origin`: the settings that count here. */
export const config = defineSubcommand({
  name: 'config',
  args: z.object({
    action: z.enum(['list', 'get', 'path', 'schema']).default('list'),
    key: z.string().optional(),
    origin: z.boolean().default(false),
  }),
  async run({ action, key, origin }, context) {
    switch (action) {
      case 'path': {
        const files = settingsFiles(context);
        context.answer({
          json: () => files,
          lines: () => [
            line(files.user, muted('  yours, for all workspaces')),
            line(files.shared, muted('  shared')),
            line(files.yours, muted('  yours, for this workspace; the strongest file')),
          ],
        });
        return EXIT.ok;
      }
      case 'schema':
        context.write(`${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
        return EXIT.ok;
      case 'get':
        if (key === undefined)
          throw new UsageError('usage', 'Cannot get a setting: say which', {
            next: ['signalbox config list'],
          });
        tell(rowsBelow(await loadSettings(context), key), true, context);
        return EXIT.ok;
      case 'list': {
        const loaded = await loadSettings(context);
        tell(rowsOf(loaded), origin, context);
        context.say(
          loaded.notes.map(({ path, message }) =>
            line(as('warn', 'note '), `${formatPath(path)}: ${message}`),
          ),
        );
        return EXIT.ok;
      }
    }
  },
});

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
