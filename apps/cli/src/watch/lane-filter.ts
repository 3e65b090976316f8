import { cells } from '../screen/cells.ts';

/** What a lane or an event is asked about. */
export type Filtered = Readonly<{ provider: string; state: string; title: string }>;

type Term = Readonly<{ key: (typeof KEYS)[number] | 'any'; word: string; negated: boolean }>;

/** Terms that all must hold; none: everything is shown. */
export type LaneFilter = readonly Term[];

const KEYS = ['provider', 'state', 'tool', 'path'] as const;

export type ParsedFilter =
  | Readonly<{ kind: 'filter'; filter: LaneFilter }>
  | Readonly<{ kind: 'mistake'; why: string }>;

/** `provider:openai -state:runs tool:bash path:src/ words`: a `-` before a term means its opposite. */
export function parseFilter(text: string): ParsedFilter {
  const terms: Term[] = [];
  for (const typed of text.split(/\s+/).filter(Boolean)) {
    const negated = typed.startsWith('-') && typed.length > 1;
    const term = negated ? typed.slice(1) : typed;
    const [, name, word] = /^([a-z]+):(.*)$/i.exec(term) ?? [];
    const key = KEYS.find((known) => known === name?.toLowerCase());
    if (name !== undefined && key === undefined) {
      return { kind: 'mistake', why: `no "${name}:" here: ${KEYS.map((known) => `${known}:`).join(' ')}` };
    }
    terms.push({ key: key ?? 'any', word: (word ?? term).toLowerCase(), negated });
  }
  return { kind: 'filter', filter: terms };
}

export function passes(filter: LaneFilter, of: Filtered): boolean {
  return filter.every(({ key, word, negated }) => holds(of, key, word) !== negated);
}

function holds({ provider, state, title }: Filtered, key: Term['key'], word: string): boolean {
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
    case 'any':
      return `${provider} ${state} ${text}`.toLowerCase().includes(word);
  }
}

/** Whether there is anything to look for in a text. */
export function matches(search: string, text: string): boolean {
  return cells(search) > 0 && text.toLowerCase().includes(search.toLowerCase());
}
