import { ToolFailure, type Verdict } from '@signalbox/core';
import type { RequiredPart } from '@signalbox/policy';

/** Why a shell line can't do what it is for, as things are now. */
export type NoEffect = {
  readonly failure: ToolFailure;
  /** Whether a command of this workspace that isn't done yet may change that; null is one without a verdict yet. */
  readonly mayChange: (verdict: Verdict | null) => boolean;
  /** Whether one of the same session may too that holds what the line needs, or whose changes are unknown. */
  readonly mayBePrepared: boolean;
};

type Words = {
  readonly code: string;
  /** `run`, `push`. */
  readonly verb: string;
  readonly why: string;
  readonly suggestion: string;
};

/** Says which part of a line it is about, where there are more. */
export function failureOf(
  { at, isAlone }: RequiredPart,
  { code, verb, why, suggestion }: Words,
): ToolFailure {
  const message = isAlone
    ? `Cannot ${verb === 'run' ? 'run this line' : verb}: ${why}`
    : `Cannot ${verb === 'run' ? 'run' : `${verb} in`} part ${at} of this line: ${why}${why.endsWith('?') ? '' : '.'} Nothing of the line ran`;
  return new ToolFailure({ category: 'InvalidParameters', code, message, suggestion });
}
