import { isAtLeast, Level } from '@signalbox/core';

/** One word of a filter: `-tool:bash`; `any` searches everywhere. */
export type Term<Key extends string> = Readonly<{ key: Key | 'any'; word: string; negated: boolean }>;

export type ParsedTerms<Key extends string> =
  | Readonly<{ kind: 'filter'; filter: readonly Term<Key>[] }>
  | Readonly<{ kind: 'mistake'; why: string }>;

/** `provider:openai -tool:bash level:>=warning words`: a `-` before a term negates it. */
export function parseTerms<Key extends string>(text: string, keys: readonly Key[]): ParsedTerms<Key> {
  const terms: Term<Key>[] = [];
  for (const typed of text.split(/\s+/).filter(Boolean)) {
    const negated = typed.startsWith('-') && typed.length > 1;
    const term = negated ? typed.slice(1) : typed;
    const [, name, word] = /^([a-z]+):(.*)$/i.exec(term) ?? [];
    const key = keys.find((known) => known === name?.toLowerCase());
    if (name !== undefined && key === undefined) {
      return {
        kind: 'mistake',
        why: `unknown key "${name}:"; known keys: ${keys.map((known) => `${known}:`).join(' ')}`,
      };
    }
    if (key === 'level' && levelBound(word ?? '') === null) {
      return {
        kind: 'mistake',
        why: `unknown level "${word}"; levels: ${Level.options.join(' ')}, optionally with >= or <=`,
      };
    }
    terms.push({ key: key ?? 'any', word: (word ?? term).toLowerCase(), negated });
  }
  return { kind: 'filter', filter: terms };
}

/** Whether a level equals the given one, or is on that side of it: `>=warning`. An unknown level never matches. */
export function isOfLevel(level: Level | null, word: string): boolean {
  const bound = levelBound(word);
  if (level === null || bound === null) return false;
  if (bound.sign === '>=') return isAtLeast(level, bound.level);
  return bound.sign === '<=' ? isAtLeast(bound.level, level) : level === bound.level;
}

function levelBound(word: string): Readonly<{ sign: string; level: Level }> | null {
  const [, sign = '', name] = /^([<>]=)?(.*)$/.exec(word.toLowerCase()) ?? [];
  const level = Level.safeParse(name);
  return level.success ? { sign, level: level.data } : null;
}
