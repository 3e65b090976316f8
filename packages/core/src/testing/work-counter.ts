import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

/**
 * Counts how often functions, branches and loops of our own code run: the same number on any machine, however busy.
 * Built-in functions count as nothing, their callbacks do.
 */
export type WorkCounter = AsyncDisposable & {
  /** What `work` runs, until its promise settles. */
  count(work: () => unknown): Promise<number>;
};

/** One at a time in a process: V8 counts for all. */
export async function startWorkCounter(): Promise<WorkCounter> {
  const session = new Session();
  session.connect();
  // Optimized code counts no calls.
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    async count(work) {
      // Taking the counts sets them to zero.
      await session.post('Profiler.takePreciseCoverage');
      await work();
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return result
        .filter(
          ({ url }) => /\/(?:apps|packages)\/[^/]+\/src\//.test(url) && !/\/testing\/|\.test\./.test(url),
        )
        .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
        .reduce((sum, count) => sum + count, 0);
    },
    async [Symbol.asyncDispose]() {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
      for (const flag of ['--opt', '--maglev']) setFlagsFromString(flag);
    },
  };
}
