import { nearestWord, UsageError } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { line, muted } from '../../terminal/line.ts';
import type { SettingsScope } from '../../runtime/rules/settings-files.ts';
import { openRulesFile } from '../../runtime/rules/rules-file.ts';
import { removeFromSession } from './rules-of-sessions.ts';

/** `signalbox rules remove ID`: removes a rule from your file, or from another with `--file`. */
export async function removeRule(
  { id, file: whose }: { readonly id?: string | undefined; readonly file: SettingsScope },
  context: Context,
): Promise<ExitCode> {
  refuseInsideCommand(context, 'remove a rule');
  if (id === undefined)
    throw new UsageError('usage', 'Cannot remove a rule: name one', { next: ['signalbox rules'] });
  const file = await openRulesFile(whose, context);
  const isInFile = await file.remove(id);
  const where = isInFile ? file.name : 'its session';
  if (!isInFile && !(await removeFromSession(id, context))) {
    const meant = nearestWord(id, file.ids);
    throw new UsageError('unknown-rule', `Cannot find rule "${id}" in ${file.name}`, {
      next: [
        ...(meant === undefined ? [] : [`did you mean: signalbox rules remove ${meant}`]),
        'signalbox rules      shows the file of each; --file selects one',
      ],
    });
  }
  context.answer({
    json: () => ({ file: isInFile ? file.name : null, removed: id }),
    lines: () => [line(`Removed ${id} `, muted(`from ${where}`))],
  });
  return EXIT.ok;
}
