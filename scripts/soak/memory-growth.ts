/** One sample of the load tester. */
export type MemorySample = Readonly<{ atMs: number; rssMb: number }>;

/** Garbage collection alone makes that much difference. */
const NOISE_MB = 64;
/** A leak of 100 bytes a command stays below it for an hour; one of a record a command does not. */
const MOST_GROWTH = 1.25;

/**
 * Whether the resident memory grew without bound: the median of the last third is a quarter above that of the second
 * one, and more than garbage explains. The first third is warm-up. Null if it did not.
 */
export function memoryGrowth(samples: readonly MemorySample[]): string | null {
  const lastMs = samples.at(-1)?.atMs ?? 0;
  const third = (n: number): number =>
    median(
      samples.flatMap(({ atMs, rssMb }) =>
        atMs >= (lastMs * n) / 3 && atMs <= (lastMs * (n + 1)) / 3 ? [rssMb] : [],
      ),
    );
  const [before, after] = [third(1), third(2)];
  if (after <= before * MOST_GROWTH || after - before <= NOISE_MB) return null;
  return `its memory grew from ${Math.round(before)} to ${Math.round(after)} MB between the second and the last third`;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
