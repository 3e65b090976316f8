import type { Suspect } from '@signalbox/core';

/** `src/crt.ts does not exist (did it mean src/cart.ts?)`; for people. */
export function suspectText({ kind, text, nearest }: Suspect): string {
  if (kind === 'id') return `${text} appears nowhere in its conversation`;
  const guess = nearest.length === 0 ? '' : ` (did it mean ${nearest.join(' or ')}?)`;
  return `${text} does not exist${guess}`;
}
