import * as z from 'zod';
import { Effect } from '../effect.ts';
import { Level } from './level.ts';

/** Half-open range of UTF-16 units of the shell line. */
export const Span = z.strictObject({ start: z.int().min(0), end: z.int().min(0) }).readonly();
export type Span = z.infer<typeof Span>;

/** Why a level was given, in words that a person reads beside the underlined part of the line. */
export const Reason = z
  .strictObject({
    level: Level,
    /** Stable name of the rule, such as `delete-recursive`; cited by `policy explain` and tests. */
    code: z.string(),
    /** `deletes recursively: dist`; lower case, no full stop. */
    text: z.string(),
    span: Span.optional(),
  })
  .readonly();
export type Reason = z.infer<typeof Reason>;

/** The classifier's answer. */
export const Verdict = z
  .strictObject({
    level: Level,
    /** Never empty; the ones of the strictest level first. */
    reasons: z.array(Reason).readonly(),
    effects: z.array(Effect).readonly(),
    /** Tests, builds, linters with plug-ins: auto-approved only inside a sandbox. */
    runsRepositoryCode: z.boolean(),
    /** A chain, pipe, substitution, background job …: what `shell_composition: reject` refuses. */
    composed: z.boolean(),
  })
  .readonly();
export type Verdict = z.infer<typeof Verdict>;

export function writesUnknown(verdict: Verdict): boolean {
  return verdict.effects.some((effect) => effect.kind === 'write-unknown');
}
