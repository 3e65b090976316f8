import type { Files } from '@signalbox/core';
import { parsePathGlob } from '@signalbox/policy';

/** Levels below the folder of a pattern with `**`. */
const MAX_DEPTH = 32;

/** Where a pattern's matches can be: the folder before its first wildcard. */
export type PatternBase = {
  readonly folder: string;
  readonly isMeant: (path: string) => boolean;
  /** Maximum depth of a match below the folder. */
  readonly depth: number;
};

/** Undefined for an invalid pattern. */
export function baseOfPattern(pattern: string, files: Pick<Files, 'normalise'>): PatternBase | undefined {
  const segments = files.normalise(pattern).split('/');
  const first = segments.findIndex((segment) => /[*?[\]{}]/.test(segment));
  const literal = segments.slice(0, Math.max(0, first));
  const isMeant = parsePathGlob(segments.join('/'));
  if (isMeant === undefined) return undefined;
  const depth = segments.includes('**') ? MAX_DEPTH : segments.length - literal.length;
  return { folder: literal.length === 0 ? '.' : literal.join('/'), isMeant, depth };
}
