import type { Level } from '@signalbox/core';
import { isOfLevel, type ParsedTerms, parseTerms, type Term } from '../../../client/readers/parse-terms.ts';
import { cells } from '../../../terminal/cells.ts';

/** What a filter matches: a lane or an event. */
export type Filtered = Readonly<{
  provider: string;
  /** Each word for its state. */
  states: readonly string[];
  title: string;
  /** Null if unknown. */
  level: Level | null;
}>;

export const FILTER_KEYS = ['provider', 'state', 'tool', 'path', 'level'] as const;

type Key = (typeof FILTER_KEYS)[number];

/** Terms that must all match; empty: everything is shown. */
export type LanePredicate = readonly Term<Key>[];

/** `provider:openai -state:running tool:bash path:src/ level:>=warning words` */
export function parseFilter(text: string): ParsedTerms<Key> {
  return parseTerms(text, FILTER_KEYS);
}

export function passes(filter: LanePredicate, of: Filtered): boolean {
  return filter.every(({ key, word, negated }) => holds(of, key, { word }) !== negated);
}

function holds(
  { provider, states, title, level }: Filtered,
  key: Term<Key>['key'],
  { word }: Readonly<{ word: string }>,
): boolean {
  const text = title.toLowerCase();
  switch (key) {
    case 'provider':
      return provider.toLowerCase() === word;
    case 'state':
      return states.some((state) => state.toLowerCase().startsWith(word));
    case 'tool':
      return text === word || text.startsWith(`${word} `);
    case 'path':
      return text.includes(word);
    case 'level':
      return isOfLevel(level, word);
    case 'any':
      return `${provider} ${states.join(' ')} ${text}`.toLowerCase().includes(word);
  }
}

/** Whether a text matches the search. */
export function matches(search: string, text: string): boolean {
  return cells(search) > 0 && text.toLowerCase().includes(search.toLowerCase());
}
