import type { Verdict } from '@signalbox/core';

/** A verdict in the fixed words of specification 003 (S003-31). */
export type Summary =
  | 'Blocked operation'
  | 'High-risk operation'
  | 'Modifying operation'
  | 'Read-only or test operation'
  | 'Unknown command';

/** `Unknown command` when the strictest finding is an unknown program (S003-30). */
export function summaryOf({ level, reasons }: Verdict): Summary {
  if (level === 'blocked') return 'Blocked operation';
  if (level === 'dangerous') return 'High-risk operation';
  if (level === 'safe') return 'Read-only or test operation';
  const strictest = reasons.filter((reason) => reason.level === level);
  const isUnknown = strictest.length > 0 && strictest.every((reason) => reason.code === 'unknown-command');
  return isUnknown ? 'Unknown command' : 'Modifying operation';
}
