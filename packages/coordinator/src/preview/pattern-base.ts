import type { Files } from '@signalbox/core';
import { parsePathGlob } from '@signalbox/policy';

/** Below the folder of a pattern with `**`. */
const MAX_DEPTH = 32;

/** Where the matches of a pattern are: the folder before its first wildcard. */
export type PatternBase = {
  readonly folder: string;
  readonly isMeant: (path: string) => boolean;
  /** Levels below the folder that a match may be at. */
  readonly depth: number;
};

/** Undefined for a pattern that can't be read. */
export function baseOfPattern(pattern: string, files: Pick<Files, 'normalise'>): PatternBase | undefined {
  const segments = files.normalise(pattern).split('/');
  const first = segments.findIndex((segment) => /[*?[\]{}]/.test(segment));
  const literal = segments.slice(0, Math.max(0, first));
  const isMeant = parsePathGlob(segments.join('/'));
  if (isMeant === undefined) return undefined;
  const depth = segments.includes('**') ? MAX_DEPTH : segments.length - literal.length;
  return { folder: literal.length === 0 ? '.' : literal.join('/'), isMeant, depth };
}
