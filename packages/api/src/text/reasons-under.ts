import type { Reason, Ruling, Verdict } from '@signalbox/core';

/** Reasons of a verdict to show beside its ruling: "nothing found" is no reason under a ruling that denies the line. */
export function reasonsUnder(ruling: Ruling | null, verdict: Verdict | null): readonly Reason[] {
  const reasons = verdict?.reasons ?? [];
  return ruling?.kind === 'deny' ? reasons.filter(({ code }) => code !== 'read-only') : reasons;
}

/** Reason of a ruling; for a built-in rule that denies, what exactly in this call it denies. */
export function whyRuled(ruling: Ruling): string {
  const { kind, source, reason } = ruling;
  return kind === 'deny' && source === 'built in' ? ruling.failure.message : reason;
}
