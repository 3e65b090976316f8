import { originOf } from '../paths/named-secrets.ts';
import type { Variable } from '../state.ts';
import { mixOrigins, textOf, type Word } from '../word.ts';

/** Values of `$0`, `$1` and `$@` in a shell with these arguments. */
export function argumentVariables(words: readonly Word[]): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  for (const [at, word] of words.entries()) {
    const { span: _span, origin: _origin, ...value } = word;
    variables.set(String(at), { value, origin: originOf(word) });
  }
  const all = words.slice(1).map((word) => textOf(word));
  const guess = all.every((text) => text !== undefined) ? all.join(' ') : undefined;
  const origin = mixOrigins(...words.map((word) => originOf(word)));
  const value = { kind: 'dynamic', beginning: '', splits: true } as const;
  for (const name of ['@', '*'])
    variables.set(name, { value: guess === undefined ? value : { ...value, guess }, origin });
  return variables;
}
