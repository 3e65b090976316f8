import { canonicalJson, getIn, type SettingsPath, UsageError } from '@signalbox/core';
import { parse } from 'yaml';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, type Line, line } from '../../terminal/line.ts';
import { changedYaml } from '../../runtime/settings/changed-yaml.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import type { LoadedSettings } from '../../runtime/settings/merge-sources.ts';
import { originOf } from '../../runtime/settings/origin-of.ts';
import { fileChangeView } from '../../views/command/file-change-view.ts';
import { loadDraft, reportChange } from '../../runtime/rules/draft.ts';
import { openSettingsFile, type SettingsScope } from '../../runtime/rules/settings-files.ts';

type Wanted = Readonly<{
  action: 'set' | 'unset';
  key: string | undefined;
  /** As typed, parsed as YAML: `15m`, `true`, `[src, test]`. */
  value: string | undefined;
  whose: SettingsScope;
}>;

/** `signalbox config set KEY VALUE`, `unset KEY`: one key of one file; refused if the settings would not load. */
export async function setSetting({ action, key, value, whose }: Wanted, context: Context): Promise<ExitCode> {
  refuseInsideCommand(context, 'change settings');
  const path = pathOf(key);
  const wanted = action === 'unset' ? undefined : valueOf(value);
  const file = await openSettingsFile(whose, context);
  const { name, text } = file;
  const after = changedYaml(name, text ?? '', { path, value: wanted });
  const before = await loadSettings(context).catch(() => null);
  const loaded = await loadDraft(`${action} ${key}`, new Map([[file.path, after]]), context);
  if (after !== text) await file.write(after);
  context.answer({
    json: () => ({
      file: name,
      key,
      value: wanted ?? null,
      counts: getIn(loaded.settings, path) ?? null,
      changed: after !== text,
    }),
    lines: () => fileChangeView({ name, purpose: purposeOf(whose), before: text, after }),
  });
  reportChange(before, loaded, context);
  context.tell(overruled({ path, wanted, name }, loaded));
  return EXIT.ok;
}

function pathOf(key: string | undefined): SettingsPath {
  if (key === undefined) {
    throw new UsageError('usage', 'Cannot change a setting: name one', {
      next: ['signalbox config set approval.expiry 15m', 'signalbox config list'],
    });
  }
  const path = key.split('.');
  if (path.every((part) => /^[\w*-]+$/.test(part))) return path;
  throw new UsageError('usage', `Cannot change setting "${key}": keys are words with dots between them`, {
    next: ['signalbox config edit'],
  });
}

function valueOf(text: string | undefined): unknown {
  if (text === undefined) {
    throw new UsageError('usage', 'Cannot set a setting: no value is given', {
      next: ['signalbox config set approval.expiry 15m', 'signalbox config unset KEY'],
    });
  }
  try {
    return parse(text) as unknown;
  } catch {
    return text;
  }
}

function purposeOf(whose: SettingsScope): string {
  return { user: 'yours, for all workspaces', local: 'yours, for this workspace', workspace: 'shared' }[
    whose
  ];
}

/** A stronger source with another value: the change is written without effect. */
function overruled(
  { path, wanted, name }: { readonly path: SettingsPath; readonly wanted: unknown; readonly name: string },
  { sources }: LoadedSettings,
): readonly Line[] {
  const origin = originOf(sources, path);
  if (wanted === undefined || origin === undefined || origin.name === name) return [];
  const overriding = getIn(origin.value, path);
  if (canonicalJson(overriding ?? null) === canonicalJson(wanted)) return [];
  const at = origin.lineOf(path);
  return [
    line(
      as('warn', 'note '),
      `it has no effect here: ${origin.name}${at === null ? '' : `:${at}`} says ${JSON.stringify(overriding)}`,
    ),
  ];
}
