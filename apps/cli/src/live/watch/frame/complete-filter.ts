import { Level } from '@signalbox/core';
import { FILTER_KEYS } from './lane-filter.ts';

/** Words on this screen that a filter may use. */
export type FilterWords = Readonly<{ providers: readonly string[]; tools: readonly string[] }>;

const STATES = ['running', 'waiting', 'needs', 'checking', 'thinking', 'idle', 'finished'] as const;

/** The typed filter with its last term completed as far as it is unique, and the candidates. */
export function completeFilter(
  text: string,
  words: FilterWords,
): Readonly<{ text: string; options: readonly string[] }> {
  const at = text.search(/(?<!\S)\S*$/);
  const typed = text.slice(at);
  const sign = typed.startsWith('-') ? '-' : '';
  const options = termsOf(typed.slice(sign.length), words);
  const common = commonStart(options);
  if (common === '') return { text, options: [] };
  const isWhole = options.length === 1 && !common.endsWith(':');
  return {
    text: text.slice(0, at) + sign + common + (isWhole ? ' ' : ''),
    options: options.length === 1 ? [] : options,
  };
}

function termsOf(typed: string, { providers, tools }: FilterWords): readonly string[] {
  const colon = typed.indexOf(':');
  if (colon < 0) return FILTER_KEYS.map((name) => `${name}:`).filter((name) => name.startsWith(typed));
  const key = typed.slice(0, colon);
  const word = typed.slice(colon + 1);
  const bound = /^[<>]=/.exec(word)?.[0] ?? '';
  const values: Readonly<Record<string, readonly string[]>> = {
    provider: providers,
    tool: tools,
    state: STATES,
    level: Level.options.map((level) => `${bound}${level}`),
  };
  return (values[key] ?? []).filter((value) => value.startsWith(word)).map((value) => `${key}:${value}`);
}

function commonStart(words: readonly string[]): string {
  const [first = '', ...others] = words;
  let length = first.length;
  for (const word of others) while (!word.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}
