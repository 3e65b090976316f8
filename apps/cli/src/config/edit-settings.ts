import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UnavailableError, UsageError } from '@signalbox/core';
import { lendTerminal } from '@signalbox/sandbox/process';
import { askYes, canAsk } from '../frame/ask-yes.ts';
import type { Context } from '../frame/context.ts';
import { EXIT, type ExitCode } from '../frame/exit-code.ts';
import { plainEnv } from '../frame/plain-env.ts';
import { refuseInsideCommand } from '../frame/with-remote.ts';
import { line, muted } from '../screen/line.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { LoadedSettings } from '../settings/merge-sources.ts';
import { writeWhole } from '../settings/write-whole.ts';
import { changeNotes, loadDraft } from './draft.ts';
import { readSettingsFile, type SettingsFile, type Whose } from './settings-files.ts';

/** `signalbox config edit`: a file of settings in the person's editor; what would not load is not written. */
export async function editSettings(
  { whose }: { readonly whose: Whose },
  context: Context,
): Promise<ExitCode> {
  refuseInsideCommand(context, 'change settings');
  const file = readSettingsFile(whose, context);
  if (!canAsk(context)) throw noTerminal(file);
  const before = await loadSettings(context).catch(() => null);
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-edit-'));
  try {
    const draft = join(folder, basename(file.path));
    writeFileSync(draft, file.text ?? '', { mode: 0o600 });
    const edited = await editUntilItLoads(file, draft, context);
    if (edited === null) {
      context.say([line(muted(`Nothing was written: ${file.name} is as it was`))]);
      return EXIT.usage;
    }
    if (edited.text !== (file.text ?? '')) writeWhole(file.path, edited.text);
    context.say([
      line(edited.text === (file.text ?? '') ? muted('Nothing was changed') : `Written: ${file.name}`),
    ]);
    context.tell(changeNotes(before, edited.loaded));
    return EXIT.ok;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null when the person gives up. */
async function editUntilItLoads(
  file: SettingsFile,
  draft: string,
  context: Context,
): Promise<Readonly<{ text: string; loaded: LoadedSettings }> | null> {
  for (;;) {
    await openEditor(draft, context);
    const text = readFileSync(draft, 'utf8');
    try {
      const what = `write ${file.name}`;
      return { text, loaded: await loadDraft(what, new Map([[file.path, text]]), context) };
    } catch (error) {
      context.tellError(error);
      if (!(await askYes('Edit it again?', context))) return null;
    }
  }
}

async function openEditor(draft: string, { directory, env }: Context): Promise<void> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  // People write words behind its name, such as "code --wait": a shell reads them, as git has it.
  const exitCode = await lendTerminal(['/bin/sh', '-c', `${editor} "$1"`, editor, draft], {
    cwd: directory,
    env: plainEnv(env),
  });
  if (exitCode === 0) return;
  throw new UnavailableError('no-editor', `Cannot edit the settings: "${editor}" failed`, {
    why: [exitCode === null ? 'it was ended by a signal' : `it ended with ${exitCode}`],
    next: ['export EDITOR=nano', 'signalbox config set KEY VALUE'],
  });
}

function noTerminal({ path }: SettingsFile): UsageError {
  return new UsageError('needs-approval', 'Cannot open an editor: this is no terminal', {
    why: [`the file is ${path}`],
    next: ['signalbox config set KEY VALUE'],
  });
}
