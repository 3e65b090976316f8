import type { Context } from '../runtime/contract/context.ts';

/** Whether the user can be prompted here. */
export function canAsk({ flags, terminal }: Pick<Context, 'flags' | 'terminal'>): boolean {
  return flags.input && terminal.stdin.tty && terminal.stderr.tty;
}

/** Prompts the user. Anything but y or yes is a no, and so is a terminal without prompts. */
export async function askYes(question: string, context: Context): Promise<boolean> {
  if (!canAsk(context)) return false;
  const answer = await context.askLine(`${question} [y/N] `, new AbortController().signal);
  return answer !== null && /^y(?:es)?$/i.test(answer.trim());
}
