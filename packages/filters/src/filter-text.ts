import type { FilterConfidence } from '@signalbox/core';
import type { Filter } from './filter.ts';
import { foldEqual } from './lines/fold.ts';
import { isGap, isMarker } from './lines/marker.ts';
import { screenLines } from './lines/screen-lines.ts';

/** One stream, shortened. */
export type FilterResult = {
  readonly text: string;
  readonly confidence: FilterConfidence;
  /** Lines that were printed, and how many of them are in the text. */
  readonly lines: number;
  readonly keptLines: number;
};

/** Applies filters to one stream. @throws whatever a filter throws */
export function filterText(text: string, filters: readonly Filter[]): FilterResult {
  const shown = screenLines(text);
  let lines = shown;
  for (const { stages } of filters) for (const stage of stages) lines = stage(lines);
  lines = foldEqual(lines);
  const isFull = filters.every(({ isSummary }) => isSummary !== undefined && shown.some(isSummary));
  return {
    text: `${lines.join('\n')}${text.endsWith('\n') && lines.length > 0 ? '\n' : ''}`,
    confidence: isFull && !lines.some(isGap) ? 'full' : 'partial',
    lines: shown.length,
    keptLines: lines.reduce((sum, line) => sum + (isMarker(line) ? 0 : 1), 0),
  };
}

/** The text as it is, for a filter that failed. */
export function unfiltered(text: string): FilterResult {
  const lines = screenLines(text).length;
  return { text, confidence: 'fallback', lines, keptLines: lines };
}
