import { basename } from 'node:path';
import { UsageError } from '@signalbox/core';
import { askYes, canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { withEditor } from '../../live/open-editor.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import type { LoadedSettings } from '../../runtime/settings/merge-sources.ts';
import { loadDraft, reportChange } from '../../runtime/rules/draft.ts';
import {
  openSettingsFile,
  type SettingsFile,
  type SettingsScope,
} from '../../runtime/rules/settings-files.ts';

/** `signalbox config edit`: opens a settings file in the user's editor; an invalid one is not written. */
export async function editSettings(
  { whose }: { readonly whose: SettingsScope },
  context: Context,
): Promise<ExitCode> {
  refuseInsideCommand(context, 'change settings');
  const file = await openSettingsFile(whose, context);
  if (!canAsk(context)) throw noTerminal(file);
  const before = await loadSettings(context).catch(() => null);
  const draft = { name: basename(file.path), text: file.text ?? '', ...WORDING };
  const edited = await withEditor(draft, context, (edit) => editUntilItLoads(file, edit, context));
  if (edited === null) {
    context.say([line(muted(`Nothing was written: ${file.name} is as it was`))]);
    return EXIT.usage;
  }
  const isSame = edited.text === (file.text ?? '');
  if (!isSame) await file.write(edited.text);
  context.say([line(isSame ? muted('Nothing was changed') : `Written: ${file.name}`)]);
  reportChange(before, edited.loaded, context);
  return EXIT.ok;
}

const WORDING = { what: 'the settings', next: 'signalbox config set KEY VALUE' } as const;

/** Null when the user gives up. */
async function editUntilItLoads(
  file: SettingsFile,
  edit: () => Promise<string>,
  context: Context,
): Promise<Readonly<{ text: string; loaded: LoadedSettings }> | null> {
  for (;;) {
    const text = await edit();
    try {
      const what = `write ${file.name}`;
      return { text, loaded: await loadDraft(what, new Map([[file.path, text]]), context) };
    } catch (error) {
      context.reportError(error);
      if (!(await askYes('Edit it again?', context))) return null;
    }
  }
}

function noTerminal({ path }: SettingsFile): UsageError {
  return new UsageError('needs-approval', 'Cannot open an editor: this is not a terminal', {
    why: [`the file is ${path}`],
    next: ['signalbox config set KEY VALUE'],
  });
}
