import type { DeclaredFilter, FilterMatcher } from '@signalbox/core';
import type { Filter } from './filter.ts';
import { around, cutMiddle } from './lines/cut-middle.ts';
import { foldSimilar } from './lines/fold.ts';
import { isMarker } from './lines/marker.ts';
import type { LineStep } from './lines/line-step.ts';
import { isVital } from './lines/vital-line.ts';
import type { BoundedRegex, CommandMatcher, CompileRegex } from './match/command-matcher.ts';

/** Characters of a line that patterns are searched in. */
const MAX_SEARCHED = 500;
/** Steps that the patterns of a filter may take for an output: up to two seconds for the worst of patterns, some milliseconds for usual ones. */
const MAX_WORK = 32_000_000;

/**
 * A filter of the settings. It may come with a repository, so it can only leave out lines that don't matter: vital ones
 * stay, and it adds nothing of its own.
 *
 * @throws for a pattern that can't be used
 */
export function declaredFilter(name: string, declared: DeclaredFilter, compile: CompileRegex): Filter {
  const { strip, keep, context, fold, head, tail, summary } = declared;
  const strips = allOf(strip.map(compile));
  const keeps = allOf(keep.map(compile));
  const ends = summary === undefined ? undefined : compile(summary);
  const stages: LineStep[] = [];
  if (strip.length > 0)
    stages.push((lines) => {
      requireWork(strips, lines);
      return lines.filter((line) => isMarker(line) || isVital(line) || !strips.finds(startOf(line)));
    });
  if (keep.length > 0)
    stages.push((lines) => {
      requireWork(keeps, lines);
      return around(lines, { isKept: (line) => isVital(line) || keeps.finds(startOf(line)), context });
    });
  if (fold === 'similar') stages.push(foldSimilar);
  if (head !== null || tail !== null) stages.push(cutMiddle({ head: head ?? 0, tail: tail ?? 0, context }));
  return {
    name,
    matchers: [declared.match].flat().map((match) => matcherOf(match, compile)),
    ...(ends === undefined ? {} : { isSummary: (line) => ends.finds(startOf(line)) }),
    stages,
  };
}

function matcherOf(match: FilterMatcher, compile: CompileRegex): CommandMatcher {
  if ('exact' in match) return { kind: 'exact', command: match.exact };
  if ('prefix' in match) return { kind: 'prefix', command: match.prefix };
  return { kind: 'regex', regex: compile(match.regex) };
}

function allOf(regexes: readonly BoundedRegex[]): BoundedRegex {
  return {
    steps: regexes.reduce((sum, { steps }) => sum + steps, 0),
    finds: (text) => regexes.some((regex) => regex.finds(text)),
  };
}

/** @throws when the patterns would take too long: the output then stays as it is. */
function requireWork({ steps }: BoundedRegex, lines: readonly string[]): void {
  const characters = lines.reduce((sum, line) => sum + Math.min(line.length, MAX_SEARCHED), 0);
  if (characters * steps > MAX_WORK) throw new Error('its patterns would take too long for this output');
}

function startOf(line: string): string {
  return line.length > MAX_SEARCHED ? line.slice(0, MAX_SEARCHED) : line;
}
