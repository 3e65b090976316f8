import { ToolFailure, type Verdict } from '@signalbox/core';
import type { RequiredPart } from '@signalbox/policy';

/** Why a shell line currently can't do what it is for. */
export type NoEffect = {
  readonly failure: ToolFailure;
  /** Whether an unfinished command of this workspace may change that; null: one without a verdict yet. */
  readonly mayChange: (verdict: Verdict | null) => boolean;
  /** Whether an earlier one of the same session may too, if it holds what the line needs or its changes are unknown. */
  readonly mayBePrepared: boolean;
};

type Words = {
  readonly code: string;
  /** `run`, `push`. */
  readonly verb: string;
  readonly why: string;
  readonly suggestion: string;
};

/** Names the part of a line it is about, if there are several. */
export function failureOf(
  { at, isAlone }: RequiredPart,
  { code, verb, why, suggestion }: Words,
): ToolFailure {
  const message = isAlone
    ? `Cannot ${verb === 'run' ? 'run this line' : verb}: ${why}`
    : `Cannot ${verb === 'run' ? 'run' : `${verb} in`} part ${at} of this line: ${why}${why.endsWith('?') ? '' : '.'} Nothing of the line ran`;
  return new ToolFailure({ category: 'InvalidParameters', code, message, suggestion });
}
