import { type ApprovalBase, isAtLeast, type Reason, type Verdict } from '@signalbox/core';

const CODE = 'runs-unbound-link';

/**
 * Raises the verdict by what only reading the files reveals: code behind a link that no approval can be bound to is
 * dangerous.
 */
export function raisedBy<Known extends Verdict | null>(
  { unboundCode = [] }: ApprovalBase,
  verdict: Known,
): Known | Verdict {
  if (verdict === null || unboundCode.length === 0) return verdict;
  if (verdict.reasons.some(({ code }) => code === CODE)) return verdict;
  const text = `runs code behind a link to another place, so it may change after you approve: ${unboundCode.join(', ')}`;
  const reason: Reason = { level: 'dangerous', code: CODE, text };
  const level = isAtLeast(verdict.level, 'dangerous') ? verdict.level : 'dangerous';
  return { ...verdict, level, reasons: [reason, ...verdict.reasons] };
}
