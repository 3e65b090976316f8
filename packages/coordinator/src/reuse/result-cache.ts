import type { RunnerDependencies } from '../command/runner-dependencies.ts';
import type { EarlierCommand } from '../command/precheck/precheck.ts';
import type { CommandRecord } from '@signalbox/core';
import type { ResultCache } from './kept-results.ts';
import { createReadReuse, type ReadReuse } from './read-reuse.ts';
import { createRunReuse, type RunReuse } from './run-reuse.ts';

export type ResultReuse = {
  readonly runs: RunReuse;
  readonly reads: ReadReuse;
  readonly cache: ResultCache;
  /** What command runners need of it. */
  readonly ofRunners: Pick<RunnerDependencies, 'reads' | 'earlierChecks' | 'openBefore'>;
};

/** Results of earlier commands that answer equal calls. They live in this process only. */
export function createResultReuse(
  options: Parameters<typeof createReadReuse>[0],
  /** Commands that were submitted before it. */
  before: (record: CommandRecord) => Iterable<EarlierCommand>,
): ResultReuse {
  const { enabled, ttl_secs: ttlSecs } = options.settings.tools.result_cache;
  const runs = createRunReuse(options);
  const reads = createReadReuse(options);
  return {
    runs,
    reads,
    cache: {
      state: () => ({ enabled, ttlSecs, runs: runs.count(), reads: reads.count() }),
      clear() {
        runs.clear();
        reads.clear();
      },
    },
    ofRunners: {
      reads,
      earlierChecks: new Map(),
      openBefore: (record) =>
        [...before(record)].map((one) => one.record()).filter(({ state }) => state !== 'done'),
    },
  };
}
