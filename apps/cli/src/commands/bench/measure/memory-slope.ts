import type { Sample } from './create-meter.ts';

/** Shorter runs are all warm-up. */
const LEAST_MS = 60_000;

/** Growth of the resident set in MB a minute: least squares over the second half; null for less than a minute of it. */
export function memorySlope(samples: readonly Pick<Sample, 'atMs' | 'rssMb'>[]): number | null {
  const lastMs = samples.at(-1)?.atMs ?? 0;
  const half = samples.filter(({ atMs }) => atMs >= lastMs / 2);
  if (lastMs / 2 < LEAST_MS || half.length < 2) return null;
  const mean = (of: (sample: (typeof half)[number]) => number): number =>
    half.reduce((sum, sample) => sum + of(sample), 0) / half.length;
  const [meanAt, meanMb] = [mean(({ atMs }) => atMs), mean(({ rssMb }) => rssMb)];
  const rise = half.reduce((sum, { atMs, rssMb }) => sum + (atMs - meanAt) * (rssMb - meanMb), 0);
  const run = half.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0);
  return (rise / run) * 60_000;
}
