import type { FileWrites } from '@signalbox/core';
import { canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { as, line, muted } from '../../terminal/line.ts';

const CHOICES: ReadonlyMap<string, FileWrites> = new Map([
  ['', 'when_reversible'],
  ['u', 'when_reversible'],
  ['a', 'ask'],
  ['n', 'never'],
]);

/** When file changes need approval, chosen by the user during setup; the default without prompts. */
export async function askFileWrites(context: Context): Promise<FileWrites> {
  if (!canAsk(context)) return 'when_reversible';
  context.say([
    line(as('bold', 'File changes'), muted(' by tools and shell lines inside the workspace:')),
    line('  u  run without approval if signalbox undo can revert them'),
    line('  a  always need approval'),
    line('  n  never need approval; dangerous lines and program settings still do'),
  ]);
  for (;;) {
    const answer = await context.askLine(
      'When do they need approval? [U/a/n] ',
      new AbortController().signal,
    );
    // The end of input selects the strictest option.
    if (answer === null) return 'ask';
    const choice = CHOICES.get(answer.trim().toLowerCase().slice(0, 1));
    if (choice !== undefined) return choice;
  }
}
