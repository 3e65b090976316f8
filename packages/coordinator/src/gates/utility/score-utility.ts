import type { CommandId } from '@signalbox/core';
import { type Shingles, similarity } from './shingles.ts';

/** What a call is compared by. */
export type ScoredCall = {
  /** Tool and arguments, in one form. */
  readonly key: string;
  /** The program of a shell line, otherwise the tool. */
  readonly program: string;
  /** The words of its arguments. */
  readonly words: Shingles;
};

/** An earlier result of the same session. */
export type EarlierResult = ScoredCall & {
  readonly commandId: CommandId;
  readonly output: Shingles;
  readonly isEmpty: boolean;
  /** Nothing that it read is known to have changed since. */
  readonly isFresh: boolean;
};

/** The four terms of specification 001, each 0…1. */
export type UtilityTerms = {
  /** What the answer is expected to add. */
  readonly gain: number;
  /** Tokens of the answer. */
  readonly cost: number;
  /** How far the answer is expected to repeat an earlier one. */
  readonly redundancy: number;
  /** How seldom the session has called this program lately. */
  readonly exploration: number;
};

export type UtilityScore = {
  readonly terms: UtilityTerms;
  /** -1…1; the higher, the more useful. */
  readonly score: number;
  /** The earlier result that the answer would repeat; null: none. */
  readonly source: { readonly result: EarlierResult; readonly callsAgo: number } | null;
};

const WEIGHTS = { exploration: 0.2, cost: 0.3 } as const;
/** Expected of a call that was not made yet, or whose files have changed; of a repetition; of a repeated empty answer. */
const GAIN = { fresh: 0.9, again: 0.5, emptyAgain: 0.2 } as const;
/** An equal call on unchanged files, as long as no third answer has confirmed it. */
const EQUAL_CALL = 0.9;
/** Less similar words promise nothing. */
const MIN_LIKENESS = 0.5;
/** Costs half of the most. */
const MIDDLE_TOKENS = 2000;

/**
 * How useful a call that only reads is likely to be. Pure and bounded: a call on which nothing is known scores high, and
 * a higher redundancy never scores higher.
 *
 * @param past Latest first.
 * @param tokens Mean length of this program's answers in this workspace; null: unknown, and free.
 */
export function scoreUtility(
  call: ScoredCall,
  { past, tokens }: { readonly past: readonly EarlierResult[]; readonly tokens: number | null },
): UtilityScore {
  const { redundancy, source } = redundancyOf(call, past);
  const terms: UtilityTerms = {
    gain: gainOf(call, past),
    cost: tokens === null ? 0 : tokens / (tokens + MIDDLE_TOKENS),
    redundancy,
    exploration: past.length === 0 ? 1 : 1 - ofProgram(call, past).length / past.length,
  };
  return { terms, score: scoreOf(terms), source };
}

export function scoreOf({ gain, cost, redundancy, exploration }: UtilityTerms): number {
  const sum = gain + WEIGHTS.exploration * exploration - WEIGHTS.cost * cost - redundancy;
  return Math.min(1, Math.max(-1, sum));
}

function gainOf({ key }: ScoredCall, past: readonly EarlierResult[]): number {
  const last = past.find((one) => one.key === key);
  if (last === undefined || !last.isFresh) return GAIN.fresh;
  return last.isEmpty ? GAIN.emptyAgain : GAIN.again;
}

function redundancyOf(
  call: ScoredCall,
  past: readonly EarlierResult[],
): { readonly redundancy: number; readonly source: UtilityScore['source'] } {
  let best: { redundancy: number; source: UtilityScore['source'] } = { redundancy: 0, source: null };
  for (const [at, result] of past.entries()) {
    if (!result.isFresh || result.program !== call.program) continue;
    const redundancy = result.key === call.key ? ofEqual(result, past) : ofSimilar(call, result, { past });
    if (redundancy > best.redundancy) best = { redundancy, source: { result, callsAgo: at + 1 } };
  }
  return best;
}

/** A program whose answers to one call differ without any change of a file reads something else, such as the clock. */
function ofEqual(result: EarlierResult, past: readonly EarlierResult[]): number {
  const others = past.filter((one) => one !== result && one.isFresh && one.key === result.key);
  if (others.length === 0) return EQUAL_CALL;
  return Math.min(...others.map((one) => similarity(one.output, result.output)));
}

/** Similar words promise a similar answer only as far as this program's answers have resembled each other. */
function ofSimilar(
  call: ScoredCall,
  result: EarlierResult,
  { past }: { readonly past: readonly EarlierResult[] },
): number {
  const likeness = similarity(call.words, result.words);
  if (likeness < MIN_LIKENESS) return 0;
  const others = past.filter(
    (one) => one.isFresh && one.program === result.program && one.key !== result.key,
  );
  if (others.length === 0) return 0;
  return likeness * Math.min(...others.map((one) => similarity(one.output, result.output)));
}

function ofProgram({ program }: ScoredCall, past: readonly EarlierResult[]): readonly EarlierResult[] {
  return past.filter((one) => one.program === program);
}
