import type { Clock, ResourceUsage } from '@signalbox/core';
import type { Cgroup } from './cgroup.ts';
import { sampleProportionalMemory, sampleTree } from './process-tree.ts';

/** Between two looks at a process tree; longer above {@link MANY_PROCESSES}, where a look takes milliseconds. */
const INTERVAL_MS = 100;
const LONG_INTERVAL_MS = 250;
const MANY_PROCESSES = 50;

export type UsageWatch = {
  /** Looks once more: when the command has ended and what it left behind still stands. */
  look(): void;
  /** Ends the looking. */
  end(): ResourceUsage;
};

/**
 * Looks at a process tree from time to time. Processor time is exact at each look, since the dead are
 * counted by who waited for them; memory peaks between two looks are missed.
 */
export function watchUsage(
  root: number,
  options: {
    readonly clock: Clock;
    readonly memoryBytes: number;
    /** Counts memory exactly and limits it; null where there is none. */
    readonly group: Cgroup | null;
    readonly onMemoryExceeded: () => void;
  },
): UsageWatch {
  let cpuMs: number | null = null;
  let peakMemoryBytes: number | null = null;
  let cancel = options.clock.timer(INTERVAL_MS, tick);

  function tick(): void {
    const processes = look();
    cancel = options.clock.timer(processes > MANY_PROCESSES ? LONG_INTERVAL_MS : INTERVAL_MS, tick);
  }

  function look(): number {
    const sample = sampleTree(root);
    cpuMs = Math.max(cpuMs ?? 0, sample.cpuMs);
    if (options.group !== null) ask(options.group);
    else peakMemoryBytes = Math.max(peakMemoryBytes ?? 0, sample.memoryBytes);
    // A group may be given more, for files that lie in memory.
    if (sample.memoryBytes > options.memoryBytes && isExceeded()) options.onMemoryExceeded();
    return sample.processes;
  }

  function ask(group: Cgroup): void {
    const used = group.usage();
    peakMemoryBytes = used.peakMemoryBytes;
    if (used.ranOutOfMemory) options.onMemoryExceeded();
  }

  /** Forked processes share memory that the quick sample counts for each of them. */
  function isExceeded(): boolean {
    return sampleProportionalMemory(root) > options.memoryBytes;
  }

  return {
    look() {
      look();
    },
    end() {
      cancel();
      if (options.group !== null) ask(options.group);
      return { cpuMs, peakMemoryBytes };
    },
  };
}
