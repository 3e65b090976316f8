import type * as ast from 'unbash';
import type { ShellState } from '../state.ts';

/** By program: the arguments with which it prints only one number. */
const COUNTS: Readonly<Record<string, RegExp>> = {
  wc: /^-[lcmw]$/,
  date: /^\+%[sNYmdHMSju]$/,
  nproc: /^$/,
  seq: /^[-\d ]+$/,
  id: /^-[ug]$/,
};

/** Whether the last command of `$(…)` prints a number: `wc -l < a`, `date +%s`. */
export function printsNumber(script: ast.ParsedScript, state: ShellState): boolean {
  const last = script.commands.at(-1)?.command;
  const command = last?.type === 'Pipeline' ? last.commands.at(-1) : last;
  if (script.commands.length !== 1 || command?.type !== 'Command' || command.prefix.length > 0) return false;
  const name = String(command.name?.text);
  if (state.functions.size > 0 || state.aliases !== undefined || !Object.hasOwn(COUNTS, name)) return false;
  return COUNTS[name]?.test(command.args.map(({ text }) => text).join(' ')) === true;
}
