import { formatPath, getIn, renamedKey, type SettingsPath, UsageError } from '@signalbox/core';
import { parseDocument } from 'yaml';
import { askYes } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { line, muted } from '../../terminal/line.ts';
import { changedYaml } from '../../runtime/settings/changed-yaml.ts';
import { fileChangeView } from '../../views/command/file-change-view.ts';
import { loadDraft } from '../../runtime/rules/draft.ts';
import {
  openSettingsFile,
  type SettingsFile,
  type SettingsScope,
} from '../../runtime/rules/settings-files.ts';

type Moved = Readonly<{ from: string; to: string }>;
type Migrated = SettingsFile & Readonly<{ after: string; moved: readonly Moved[] }>;

/** `signalbox config migrate`: moves keys of the specifications and of earlier versions to their current place. */
export async function migrateSettings(
  { whose, isAgreed }: { readonly whose: SettingsScope | undefined; readonly isAgreed: boolean },
  context: Context,
): Promise<ExitCode> {
  refuseInsideCommand(context, 'change settings');
  const all: readonly SettingsScope[] = whose === undefined ? ['user', 'workspace', 'local'] : [whose];
  const opened = await Promise.all(all.map((one) => openSettingsFile(one, context)));
  const files = opened
    .flatMap((file) => (file.text === null ? [] : [migrated(file, file.text)]))
    .filter(({ moved }) => moved.length > 0);
  if (files.length === 0) {
    context.answer({
      json: () => ({ files: [], written: false }),
      lines: () => [line(muted('Nothing to move: every key is up to date.'))],
    });
    return EXIT.ok;
  }
  await loadDraft('migrate', new Map(files.map(({ path, after }) => [path, after])), context);
  context.print(
    files.flatMap(({ name, text, after, moved }) =>
      fileChangeView({
        name,
        purpose: moved.map(({ from, to }) => `${from} → ${to}`).join(', '),
        before: text,
        after,
      }),
    ),
  );
  const written = isAgreed || (await askYes('Write this?', context));
  if (written) for (const { write, after } of files) await write(after);
  context.json({ files: files.map(({ name, moved }) => ({ file: name, moved })), written });
  context.say([line(written ? 'Written.' : muted('Nothing was written: --yes writes it'))]);
  return written ? EXIT.ok : EXIT.needsApproval;
}

function migrated(file: SettingsFile, text: string): Migrated {
  const document = parseDocument(text);
  const value: unknown = document.errors.length === 0 ? document.toJS({ maxAliasCount: 100 }) : null;
  const moves = renamedIn(value, []);
  const after = moves.reduce((now, { from, to }) => {
    const target = to.split('.');
    if (getIn(value, target) !== undefined) throw saidTwice(file, from, { to });
    return changedYaml(file.name, changedYaml(file.name, now, { path: target, value: getIn(value, from) }), {
      path: from,
      value: undefined,
    });
  }, text);
  return { ...file, after, moved: moves.map(({ from, to }) => ({ from: formatPath(from), to })) };
}

function renamedIn(
  value: unknown,
  path: SettingsPath,
): readonly Readonly<{ from: SettingsPath; to: string }>[] {
  const to = path.length === 0 ? undefined : renamedKey(path);
  if (to !== undefined) return [{ from: path, to }];
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => renamedIn(inner, [...path, key]));
}

function saidTwice({ name }: SettingsFile, from: SettingsPath, { to }: Readonly<{ to: string }>): UsageError {
  return new UsageError(
    'settings-file',
    `Cannot migrate ${name}: it has both ${formatPath(from)} and ${to}`,
    {
      why: ['it is unclear which of the two applies'],
      next: ['remove one of them: signalbox config edit'],
    },
  );
}
