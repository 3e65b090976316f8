import { createCollector, type Imported, prefixMatcher, type RulingWord } from './imported.ts';
import { readCalls, type StarlarkValue } from './starlark-calls.ts';

const RULINGS: Readonly<Record<string, RulingWord>> = { allow: 'allow', prompt: 'ask', forbidden: 'deny' };

/** More rules than this are not made of one with alternatives. */
const MAX_ALTERNATIVES = 50;

/** The `prefix_rule`s of a `.rules` file of Codex as rules (openai/codex, execpolicy). */
export function importCodex(text: string): Imported {
  const collector = createCollector();
  for (const { name, source, values } of readCalls(text)) {
    if (values === undefined) {
      collector.skip(source, 'is not written out: only texts and lists can be read');
      continue;
    }
    if (name !== 'prefix_rule') {
      collector.skip(source, `"${name}" has no like here`);
      continue;
    }
    const decision = typeof values['decision'] === 'string' ? values['decision'] : 'allow';
    const ruling = RULINGS[decision];
    const prefixes = prefixesOf(values['pattern']);
    if (ruling === undefined) collector.skip(source, `has an unknown decision "${decision}"`);
    else if (prefixes === undefined)
      collector.skip(source, 'has a pattern that is no list of words, or of too many');
    else {
      const more = {
        ...(typeof values['justification'] === 'string' ? { because: values['justification'] } : {}),
        // Of several rules none speaks of the examples of all.
        ...(prefixes.length === 1 ? examplesOf(values) : {}),
      };
      for (const prefix of prefixes) collector.add(source, ruling, prefixMatcher(ruling, prefix), more);
    }
  }
  return collector.imported();
}

/** Every way to choose one of the alternatives at each place; undefined where one is no text. */
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

function examplesOf(values: Readonly<Record<string, StarlarkValue>>): object {
  const match = linesOf(values['match']);
  const not_match = linesOf(values['not_match']);
  if (match.length + not_match.length === 0) return {};
  return {
    examples: { ...(match.length > 0 ? { match } : {}), ...(not_match.length > 0 ? { not_match } : {}) },
  };
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
