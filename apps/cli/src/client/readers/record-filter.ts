import { type CommandRecord, type Level, nearestWord, Outcome, type OutcomeKind } from '@signalbox/core';
import * as z from 'zod';
import { stateWordsOf } from '../../terminal/icon.ts';
import { isOfLevel, parseTerms, type Term } from './parse-terms.ts';

const KEYS = ['provider', 'tool', 'outcome', 'state', 'level', 'path'] as const;
type Key = (typeof KEYS)[number];

/** Terms that must all match, and the typed text. */
export type RecordFilter = Readonly<{ text: string; terms: readonly Term<Key>[] }>;

/** What a filter matches: a command, or its line in the audit log. */
export type Filterable = Readonly<{
  provider: string;
  tool: string;
  /** Null until it has ended. */
  outcome: string | null;
  /** Each word for its state. */
  states: readonly string[];
  level: Level | null;
  /** Files that it read, would write or wrote. */
  paths: readonly string[];
  /** The text that plain words search. */
  text: string;
}>;

export const OUTCOMES: readonly OutcomeKind[] = Outcome.options.map(
  (option) => option.unwrap().shape.kind.value,
);

/** `-f "provider:openai -tool:bash outcome:failed level:>=warning path:src words"` */
export const FilterArgument = z.string().transform((text, context): RecordFilter => {
  const parsed = parseTerms(text, KEYS);
  const why = parsed.kind === 'mistake' ? parsed.why : unknownOutcome(parsed.filter);
  if (parsed.kind === 'filter' && why === undefined) return { text, terms: parsed.filter };
  context.addIssue({ code: 'custom', message: why ?? 'it is not a filter' });
  return z.NEVER;
});

function unknownOutcome(terms: readonly Term<Key>[]): string | undefined {
  const unknown = terms.find(
    ({ key, word }) => key === 'outcome' && !OUTCOMES.some((kind) => kind === word),
  )?.word;
  if (unknown === undefined) return undefined;
  const meant = nearestWord(unknown, OUTCOMES);
  return `unknown outcome "${unknown}"${meant === undefined ? `; outcomes: ${OUTCOMES.join(' ')}` : `, did you mean ${meant}`}`;
}

export function fitsTerms({ terms }: RecordFilter, of: Filterable): boolean {
  return terms.every(({ key, word, negated }) => holds(of, key, { word }) !== negated);
}

function holds(of: Filterable, key: Term<Key>['key'], { word }: Readonly<{ word: string }>): boolean {
  switch (key) {
    case 'provider':
    case 'tool':
    case 'outcome':
      return of[key]?.toLowerCase() === word;
    case 'state':
      return of.states.some((state) => state.toLowerCase().startsWith(word));
    case 'level':
      return isOfLevel(of.level, word);
    case 'path':
      return of.paths.some((path) => isBelow(path.toLowerCase(), word.replace(/(?<!\/)\/+$/, '')));
    case 'any':
      return of.text.toLowerCase().includes(word);
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

export function filterableOf(record: CommandRecord): Filterable {
  const { id, context, call, title, verdict, result } = record;
  const effects = verdict?.effects.flatMap((effect) => ('path' in effect ? [effect.path] : [])) ?? [];
  return {
    provider: context.provider,
    tool: call.tool,
    outcome: result?.outcome.kind ?? null,
    states: stateWordsOf(record),
    level: verdict?.level ?? null,
    paths: [...(result?.files.map(({ path }) => path) ?? []), ...effects],
    text: `${title} ${call.tool} ${context.provider} ${id}`,
  };
}
