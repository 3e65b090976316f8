import { quantile } from '@signalbox/core';
import * as z from 'zod';

export const Quantiles = z
  .strictObject({ p50: z.number(), p90: z.number(), p99: z.number(), max: z.number(), count: z.number() })
  .readonly();
export type Quantiles = z.infer<typeof Quantiles>;

export const NO_QUANTILES: Quantiles = { p50: 0, p90: 0, p99: 0, max: 0, count: 0 };

/** Quantiles of any numbers, nearest rank; zeros for an empty list. */
export function quantiles(numbers: readonly number[]): Quantiles {
  if (numbers.length === 0) return NO_QUANTILES;
  const sorted = Float64Array.from(numbers).toSorted();
  const at = (share: number): number => quantile(sorted, share);
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1), count: sorted.length };
}
