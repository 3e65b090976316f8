import { type Savings, tokensSaved } from '@signalbox/core';
import { duration } from './duration-text.ts';
import { plural } from './plural.ts';

/** `about 2,250 tokens and 1 call (12 s) saved`; empty for nothing. */
export function savingsText(saved: Savings): string {
  const tokens = tokensSaved(saved);
  const parts = [
    ...(tokens === 0 ? [] : [`about ${tokens.toLocaleString('en')} ${tokens === 1 ? 'token' : 'tokens'}`]),
    ...(saved.calls === 0 ? [] : [`${plural(saved.calls, 'call')} (${duration(saved.ms)})`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(' and ')} saved`;
}

/** What saved the tokens: `2,000 by filters, 250 by the tool filter`; empty for none. */
export function savingsNote({ tokens }: Savings): string {
  return [
    [tokens.filters, 'filters'] as const,
    [tokens.offers, 'the tool filter'] as const,
    [tokens.compressions, 'compression'] as const,
  ]
    .flatMap(([count, by]) => (count === 0 ? [] : [`${count.toLocaleString('en')} by ${by}`]))
    .join(', ');
}
