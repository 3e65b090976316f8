import { askYes, canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { line, muted } from '../../terminal/line.ts';
import { LOCAL_FILE, ownFileOf, readFileNotes } from '../../runtime/settings/settings-files.ts';
import type { OwnFile } from '../../runtime/settings/own-file.ts';
import { noteLine } from '../../runtime/settings/note-line.ts';

/**
 * `signalbox config trust`: shows unconfirmed parts of your file, and a `.signalbox` that was not made here, and asks
 * you to accept each.
 */
export async function trustSettings(
  { isAgreed }: { readonly isAgreed: boolean },
  context: Context,
): Promise<ExitCode> {
  refuseInsideCommand(context, 'confirm settings');
  const { takeBroughtState } = await import('./take-brought-state.ts');
  if (!(await takeBroughtState({ isAgreed }, context))) return EXIT.needsApproval;
  const own = await ownFileOf(context);
  if (own.isConfirmed) {
    context.answer({
      json: () => ({ file: LOCAL_FILE, confirmed: own.text !== null }),
      lines: () => [
        line(muted(own.text === null ? `There is no ${LOCAL_FILE}.` : `${LOCAL_FILE} is confirmed.`)),
      ],
    });
    return EXIT.ok;
  }
  const isConfirmed = await confirm(own, { isAgreed }, context);
  context.answer({
    json: () => ({ file: LOCAL_FILE, confirmed: isConfirmed }),
    lines: () => [
      line(
        isConfirmed
          ? `Confirmed: ${LOCAL_FILE} takes full effect`
          : muted('Not confirmed: the file can only tighten the settings'),
      ),
    ],
  });
  return isConfirmed ? EXIT.ok : EXIT.needsApproval;
}

/**
 * Before a user's lines run under the settings: asks about an unconfirmed file, and reports settings without effect.
 */
export async function checkSettingsFiles(context: Context): Promise<void> {
  await confirmAtStart(context);
  context.say((await readFileNotes(context)).map(noteLine));
}

/** Asks the user at a terminal about their file that was changed outside Signalbox, before it affects anything. */
export async function confirmAtStart(context: Context): Promise<void> {
  const own = await ownFileOf(context);
  if (!own.isConfirmed && canAsk(context) && !context.flags.json)
    await confirm(own, { isAgreed: false }, context);
}

async function confirm(
  own: OwnFile,
  { isAgreed }: { readonly isAgreed: boolean },
  context: Context,
): Promise<boolean> {
  const { text, confirmed } = own;
  if (text === null) return true;
  // Loaded late: each line of `exec` checks for something to confirm, and usually there is nothing.
  const { loadDraft } = await import('../../runtime/rules/draft.ts');
  const { fileChangeView } = await import('../../views/command/file-change-view.ts');
  // Shown as it would apply; an invalid file can't be confirmed.
  await loadDraft(`confirm ${LOCAL_FILE}`, new Map([[own.path, text]]), context);
  const purpose =
    confirmed === null
      ? 'not confirmed here yet; all of it'
      : 'changed outside Signalbox since you confirmed it';
  context.tell(fileChangeView({ name: LOCAL_FILE, purpose, before: confirmed, after: text }));
  if (!isAgreed && !(await askYes('Is this yours, and may it take full effect?', context))) return false;
  await own.confirm();
  return true;
}
