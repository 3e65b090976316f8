import type { Context } from '../runtime/contract/context.ts';

/** Whether a person can be asked here. */
export function canAsk({ flags, terminal }: Pick<Context, 'flags' | 'terminal'>): boolean {
  return flags.input && terminal.stdin.tty && terminal.stderr.tty;
}

/** Asks a person: what is not y or yes is no, and so is nobody to ask. */
export async function askYes(question: string, context: Context): Promise<boolean> {
  if (!canAsk(context)) return false;
  const answer = await context.askLine(`${question} [y/N] `, new AbortController().signal);
  return answer !== null && /^y(?:es)?$/i.test(answer.trim());
}
