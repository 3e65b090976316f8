import { Level } from '@signalbox/core';

/** Filters of the history; in the address bar, under the names of the API. */
export const FILTERS = ['text', 'provider', 'tool', 'level', 'outcome', 'path', 'from', 'to'] as const;
export type FilterName = (typeof FILTERS)[number];

const FILTER_WORDS: Readonly<Record<FilterName, string>> = {
  text: 'Text',
  provider: 'Provider',
  tool: 'Tool',
  level: 'Level',
  outcome: 'Outcome',
  path: 'Path',
  from: 'Since',
  to: 'Until',
};

const LEVELS: ReadonlySet<string> = new Set(Level.options);

/** Only those that the server supports; everything else in the address is ignored. */
export function filtersOf(query: URLSearchParams): URLSearchParams {
  const kept = FILTERS.flatMap((name) => {
    const value = query.get(name)?.trim() ?? '';
    return value === '' || (name === 'level' && !LEVELS.has(value)) ? [] : [[name, value]];
  });
  return new URLSearchParams(kept);
}

/** The same for the API. */
export function questionOf(filters: URLSearchParams) {
  const { level, from, to, ...texts } = Object.fromEntries(filters);
  return {
    ...texts,
    level: Level.optional().parse(level),
    ...(from === undefined ? {} : { from: Number(from) }),
    ...(to === undefined ? {} : { to: Number(to) }),
  };
}

export function withFilter(
  query: URLSearchParams,
  name: FilterName,
  { value }: Readonly<{ value: string }>,
): URLSearchParams {
  const next = filtersOf(query);
  if (value.trim() === '') next.delete(name);
  else next.set(name, value);
  return next;
}

/** Filters to remove when nothing matches, in words. */
export function filterWords(query: URLSearchParams): readonly (readonly [FilterName, string])[] {
  return FILTERS.flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, `${FILTER_WORDS[name]}: ${valueText(name, value)}`] as const];
  });
}

/** An instant is a number in the address; people read it as a time. */
function valueText(name: FilterName, value: string): string {
  if (name !== 'from' && name !== 'to') return value;
  const at = new Date(Number(value));
  return Number.isNaN(at.getTime())
    ? value
    : at.toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
}
