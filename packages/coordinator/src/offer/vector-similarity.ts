import type { Vector } from '@signalbox/core';

/** Larger ones are of no known model. */
const MAX_SIZE = 16_384;

/** The vector of length 1 in its direction; null for one that has none: empty, all zero, or not of numbers. */
export function unitVector(vector: Vector): Vector | null {
  if (vector.length === 0 || vector.length > MAX_SIZE) return null;
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Number.isFinite(length) && length > 0 ? vector.map((value) => value / length) : null;
}

/** Cosine of two vectors of length 1, at least 0; undefined for vectors of different models. */
export function vectorSimilarity(one: Vector, other: Vector): number | undefined {
  if (one.length !== other.length) return undefined;
  const cosine = one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
  return Math.min(1, Math.max(0, cosine));
}
