import {
  type Collector,
  createCollector,
  exampleFails,
  type Imported,
  prefixMatcher,
  type RulingWord,
  speaksOf,
} from './imported.ts';
import { readCalls, type StarlarkValue } from './starlark-calls.ts';

const RULINGS: Readonly<Record<string, RulingWord>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' };

/** Most rules made of one with alternatives. */
const MAX_ALTERNATIVES = 50;

/** Converts the `prefix_rule`s of a Codex `.rules` file to rules (openai/codex, execpolicy). */
export function importCodex(text: string): Imported {
  const collector = createCollector();
  for (const { name, source, values } of readCalls(text)) {
    if (values === undefined) {
      collector.skip(source, 'is not a literal: only strings and lists can be imported');
      continue;
    }
    if (name !== 'prefix_rule') {
      collector.skip(source, `"${name}" has no equivalent here`);
      continue;
    }
    const decision = typeof values['decision'] === 'string' ? values['decision'] : 'allow';
    const ruling = RULINGS[decision];
    const prefixes = prefixesOf(values['pattern']);
    if (ruling === undefined) collector.skip(source, `has an unknown decision "${decision}"`);
    else if (prefixes === undefined)
      collector.skip(source, 'has a pattern that is not a list of words, or has too many');
    else takeOver({ source, ruling, prefixes, values }, collector);
  }
  return collector.imported();
}

type PrefixRule = Readonly<{
  source: string;
  ruling: RulingWord;
  prefixes: readonly (readonly [string, ...string[]])[];
  values: Readonly<Record<string, StarlarkValue>>;
}>;

/** One rule for each alternative, with the examples that it matches. */
function takeOver({ source, ruling, prefixes, values }: PrefixRule, collector: Collector): void {
  const because = typeof values['justification'] === 'string' ? { because: values['justification'] } : {};
  const matchers = prefixes.map((prefix) => prefixMatcher(ruling, prefix));
  const not_match = linesOf(values['not_match']);
  const match = linesOf(values['match']);
  for (const matcher of matchers) {
    const own = matchers.length === 1 ? match : match.filter((line) => speaksOf(ruling, line, matcher));
    collector.add(source, ruling, {
      matcher,
      more: { ...because, ...examplesOf({ match: own, not_match }) },
    });
  }
  if (matchers.length === 1) return;
  for (const line of match) {
    if (!matchers.some((matcher) => speaksOf(ruling, line, matcher)))
      collector.skip(source, exampleFails(line, 'match'));
  }
}

/** Every choice of one alternative per position; undefined where one is not a text. */
function prefixesOf(
  pattern: StarlarkValue | undefined,
): readonly (readonly [string, ...string[]])[] | undefined {
  if (!Array.isArray(pattern)) return undefined;
  const [first, ...others] = pattern.map((token: StarlarkValue) => [token].flat());
  let prefixes = (first ?? []).filter(isText).map((program): readonly [string, ...string[]] => [program]);
  for (const words of others) {
    prefixes = prefixes.flatMap((prefix) =>
      words.filter(isText).map((word): readonly [string, ...string[]] => [...prefix, word]),
    );
    if (prefixes.length > MAX_ALTERNATIVES) return undefined;
  }
  const isWhole = [first ?? [], ...others].every((words) => words.length > 0 && words.every(isText));
  return isWhole ? prefixes : undefined;
}

function isText(value: StarlarkValue): value is string {
  return typeof value === 'string';
}

function examplesOf(lines: Readonly<Record<'match' | 'not_match', readonly string[]>>): object {
  const given = Object.entries(lines).filter(([, examples]) => examples.length > 0);
  return given.length === 0 ? {} : { examples: Object.fromEntries(given) };
}

function linesOf(value: StarlarkValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.map((one) =>
    typeof one === 'string' ? one : one.map((word: StarlarkValue) => quoted(String(word))).join(' '),
  );
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
