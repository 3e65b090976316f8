import type { FilterUse } from '@signalbox/core';

/** `196 of 250 lines left out (node-test, full confidence), about 2,250 tokens saved`; why nothing was. */
export function filteredText({ filter, confidence, lines, keptLines, savedTokens }: FilterUse): string {
  if (confidence === 'fallback') return `nothing left out: the filter ${filter} failed on this output`;
  return `${lines - keptLines} of ${lines} lines left out (${filter}, ${confidence} confidence), about ${savedTokens.toLocaleString('en')} tokens saved`;
}
