import { isAtLeast, Level } from '@signalbox/core';
import { cells } from '../screen/cells.ts';

/** What a lane or an event is asked about. */
export type Filtered = Readonly<{
  provider: string;
  state: string;
  title: string;
  /** Null where it is not known. */
  level: Level | null;
}>;

type Term = Readonly<{ key: (typeof FILTER_KEYS)[number] | 'any'; word: string; negated: boolean }>;

/** Terms that all must hold; none: everything is shown. */
export type LaneFilter = readonly Term[];

export const FILTER_KEYS = ['provider', 'state', 'tool', 'path', 'level'] as const;

export type ParsedFilter =
  | Readonly<{ kind: 'filter'; filter: LaneFilter }>
  | Readonly<{ kind: 'mistake'; why: string }>;

/** `provider:openai -state:runs tool:bash path:src/ level:>=warning words`: a `-` before a term means its opposite. */
export function parseFilter(text: string): ParsedFilter {
  const terms: Term[] = [];
  for (const typed of text.split(/\s+/).filter(Boolean)) {
    const negated = typed.startsWith('-') && typed.length > 1;
    const term = negated ? typed.slice(1) : typed;
    const [, name, word] = /^([a-z]+):(.*)$/i.exec(term) ?? [];
    const key = FILTER_KEYS.find((known) => known === name?.toLowerCase());
    if (name !== undefined && key === undefined) {
      return {
        kind: 'mistake',
        why: `no "${name}:" here: ${FILTER_KEYS.map((known) => `${known}:`).join(' ')}`,
      };
    }
    if (key === 'level' && levelBound(word ?? '') === null) {
      return { kind: 'mistake', why: `no level "${word}": ${Level.options.join(' ')}, after >= or <= too` };
    }
    terms.push({ key: key ?? 'any', word: (word ?? term).toLowerCase(), negated });
  }
  return { kind: 'filter', filter: terms };
}

export function passes(filter: LaneFilter, of: Filtered): boolean {
  return filter.every(({ key, word, negated }) => holds(of, key, word) !== negated);
}

function levelBound(word: string): Readonly<{ sign: string; level: Level }> | null {
  const [, sign = '', name] = /^([<>]=)?(.*)$/.exec(word.toLowerCase()) ?? [];
  const level = Level.safeParse(name);
  return level.success ? { sign, level: level.data } : null;
}

function isOfLevel(level: Level | null, word: string): boolean {
  const bound = levelBound(word);
  if (level === null || bound === null) return false;
  if (bound.sign === '>=') return isAtLeast(level, bound.level);
  return bound.sign === '<=' ? isAtLeast(bound.level, level) : level === bound.level;
}

function holds({ provider, state, title, level }: Filtered, key: Term['key'], word: string): boolean {
  const text = title.toLowerCase();
  switch (key) {
    case 'provider':
      return provider.toLowerCase() === word;
    case 'state':
      return state.toLowerCase().startsWith(word);
    case 'tool':
      return text === word || text.startsWith(`${word} `);
    case 'path':
      return text.includes(word);
    case 'level':
      return isOfLevel(level, word);
    case 'any':
      return `${provider} ${state} ${text}`.toLowerCase().includes(word);
  }
}

/** Whether there is anything to look for in a text. */
export function matches(search: string, text: string): boolean {
  return cells(search) > 0 && text.toLowerCase().includes(search.toLowerCase());
}
