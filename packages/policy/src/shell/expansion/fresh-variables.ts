import { STEPS } from '../budget.ts';
import { isFreshFile } from '../paths/path-words.ts';
import type { EvaluationContext } from '../program.ts';
import type { Variable } from '../state.ts';
import { textOf } from '../word.ts';

/**
 * Variables that name `mktemp` files, and are set nowhere else in the text: later code finds them unchanged, so that
 * `trap 'rm -rf "$tmp"' EXIT` deletes nothing else.
 */
export function freshVariables({ state, source, walk }: EvaluationContext): ReadonlyMap<string, Variable> {
  const fresh = [...state.variables].filter(([name, { value }]) => {
    if (!isFreshFile(textOf(value) ?? '')) return false;
    walk.spend(source.length * STEPS.perCharacter);
    // `env` accepts other names than the shell does.
    const written = name.replaceAll(/\W/g, String.raw`\$&`);
    const bare = [...source.matchAll(new RegExp(`(?<![$\\w]|\\$\\{)${written}\\b`, 'g'))];
    return bare.length === 1;
  });
  return new Map(fresh);
}
