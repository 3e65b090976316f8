import type { CheckDecision, UntilResult } from '@signalbox/core';
import { checkNote } from './own-notes.ts';
import { sha256 } from '../audit/sha256.ts';
import type { SessionBarrier } from './run/session-barrier.ts';

/** Result of one check, with what a model reads of its output. */
export type CheckedLine = {
  readonly result: UntilResult;
  readonly content: string;
  /** Whether a model could mend it: the line ran, and nobody refused or stopped it. */
  readonly canBeMended: boolean;
};

/** The checks that a run has had. */
export type ChecksBefore = {
  /** How many; 0: none. */
  readonly round: number;
  readonly last: UntilResult | null;
  /** The same for two failures that a model could not tell apart. */
  readonly lastFailure: string | null;
  /** The last one decided that no other follows. */
  readonly isOver: boolean;
};

export const NO_CHECKS: ChecksBefore = { round: 0, last: null, lastFailure: null, isOver: false };

/** Checks of a run by default. */
export const DEFAULT_ROUNDS = 3;

/**
 * Runs the line of a run each time that all its sessions have given their answer, until it passes. After a failure the
 * sessions are told what it printed, and continue.
 *
 * @returns the last result; null: it never ran
 */
export async function runChecks(
  barrier: SessionBarrier,
  parts: {
    /** Checks at most; at least 1. */
    readonly rounds: number;
    /** Runs the line; null if it could not be started. */
    readonly check: (round: number) => Promise<CheckedLine | null>;
    /** Whether somebody stopped the run: the line does not run either. */
    readonly isStopped: () => boolean;
    /** Why the sessions must not continue after a failure; null: they may. */
    readonly obstacle: () => 'stopped' | 'budget' | null;
    /** Whether a model has answered at all: otherwise the result of the line would be unchanged. */
    readonly hasWorked: () => boolean;
    /** Called before the sessions that rest are told. */
    readonly onChecked: (checked: {
      readonly round: number;
      readonly result: UntilResult;
      readonly next: CheckDecision;
      readonly failure: string;
      /** What the sessions that rest are told; null: nothing. */
      readonly note: string | null;
    }) => Promise<void>;
    /** Of a run that another process has left: its checks so far. */
    readonly before: ChecksBefore;
  },
): Promise<UntilResult | null> {
  const { rounds, check, isStopped, obstacle, hasWorked, onChecked } = parts;
  let { last, lastFailure } = parts.before;
  for (let round = parts.before.round + 1; !parts.before.isOver; round += 1) {
    await barrier.allResting();
    if (!hasWorked() || isStopped()) break;
    const checked = await check(round);
    if (checked === null) break;
    last = checked.result;
    const failure = failureOf(checked);
    const next = nextAfter(checked, {
      isLast: round >= rounds,
      isRepeated: failure === lastFailure,
      obstacle: obstacle(),
      isAnyoneLeft: barrier.resting() > 0 || barrier.isAnyoneAtWork(),
      isAnyoneAtWork: barrier.isAnyoneAtWork(),
    });
    lastFailure = failure;
    const { line, passed } = last;
    const note =
      next === 'again' && !passed ? checkNote({ line, round, rounds, content: checked.content }) : null;
    await onChecked({ round, result: last, next, failure, note });
    if (next !== 'again') break;
    if (note !== null) barrier.release(note);
  }
  barrier.open();
  return last;
}

function nextAfter(
  { result, canBeMended }: CheckedLine,
  at: {
    readonly isLast: boolean;
    readonly isRepeated: boolean;
    readonly obstacle: 'stopped' | 'budget' | null;
    readonly isAnyoneLeft: boolean;
    readonly isAnyoneAtWork: boolean;
  },
): CheckDecision {
  // What somebody has asked for meanwhile is checked as well.
  if (result.passed) return at.isAnyoneAtWork ? 'again' : 'passed';
  if (at.obstacle !== null) return at.obstacle;
  if (!canBeMended) return 'refused';
  if (at.isLast) return 'rounds';
  if (at.isRepeated) return 'repeated';
  return at.isAnyoneLeft ? 'again' : 'ended';
}

/** Times, durations, addresses and ids, which differ between two runs that fail in the same way. */
const VARYING =
  /\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|sec|seconds|min|m)\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?\b|0x[0-9a-f]+|\bcmd_\w+|<\/?untrusted [0-9a-f]+/gi;

/** The same for two failures that a model could not tell apart. A hash, since it is stored. */
function failureOf({ result, content }: CheckedLine): string {
  return sha256(`${result.exitCode} ${content.replaceAll(VARYING, '#')}`);
}
