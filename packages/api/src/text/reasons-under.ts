import type { Reason, Ruling, Verdict } from '@signalbox/core';

/** Reasons of a verdict beside its ruling: that nothing was found in a line is no reason under a ruling that denies it. */
export function reasonsUnder(ruling: Ruling | null, verdict: Verdict | null): readonly Reason[] {
  const reasons = verdict?.reasons ?? [];
  return ruling?.kind === 'deny' ? reasons.filter(({ code }) => code !== 'read-only') : reasons;
}

/** Why it is so; of a built-in rule that denies, what of this very call it denies. */
export function whyRuled(ruling: Ruling): string {
  const { kind, source, reason } = ruling;
  return kind === 'deny' && source === 'built in' ? ruling.failure.message : reason;
}
