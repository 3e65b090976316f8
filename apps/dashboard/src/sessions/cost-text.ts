import type { Usage } from '@signalbox/core';

/** `$0.42`; less than a cent, but more than nothing, is not shown as zero. */
export function costText(costUsd: number): string {
  return costUsd > 0 && costUsd < 0.01 ? 'under $0.01' : `$${costUsd.toFixed(2)}`;
}

/** All input and output tokens: `12,408`. */
export function tokensText({
  inputTokens,
  outputTokens,
}: Pick<Usage, 'inputTokens' | 'outputTokens'>): string {
  return (inputTokens + outputTokens).toLocaleString('en');
}

/** `1 turn`, `2 turns`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
