import type { Clock, LimitKey, ResourceUsage } from '@signalbox/core';
import { sampleProportionalMemory, sampleTree, sampleWritten, treeOf } from '../process-tree.ts';
import type { BoundedLimits } from './bounded-limits.ts';
import type { Cgroup, GroupUsage } from './cgroup.ts';
import { createCpuThrottle } from './cpu-throttle.ts';

/** Between two looks at a process tree; longer above {@link MANY_PROCESSES}, where a look takes milliseconds. */
const INTERVAL_MS = 100;
const LONG_INTERVAL_MS = 250;
const MANY_PROCESSES = 50;

export type UsageWatch = {
  /** Looks once more: when the command has ended, or is about to be killed, and what it left behind still stands. */
  readonly poll: () => void;
  /** Holds it up no longer: before it is asked to end. */
  readonly letGo: () => void;
  /** Ends the looking, when all of the tree is dead. */
  readonly end: () => UsageReport;
};

export type UsageReport = {
  readonly usage: ResourceUsage;
  /** How long it was held up because it had used its share of the processors. */
  readonly throttledMs: number;
  /** How often it could not start a process; null where nobody counts. */
  readonly refusedProcesses: number | null;
};

export const NOTHING_USED: UsageReport = {
  usage: { cpuMs: null, peakMemoryBytes: null, writtenBytes: null },
  throttledMs: 0,
  refusedProcesses: null,
};

/**
 * Looks at a process tree from time to time, and holds it to its limits where no group does. A group counts exactly.
 * Without one, processor time is exact at each look, since the dead are counted by who waited for them; memory
 * peaks between two looks are missed.
 *
 * @param root Topmost process of a command that has not begun.
 */
export function watchUsage(
  root: number,
  options: {
    readonly clock: Clock;
    readonly limits: Pick<BoundedLimits, 'memoryBytes' | 'cpuPercent' | 'writtenBytes'>;
    /** Whether what it writes goes to a disk, where nobody else bounds it. */
    readonly writesToDisk: boolean;
    /** Counts memory and limits it; null where there is none. */
    readonly group: Cgroup | null;
    readonly onExceeded: (limit: LimitKey) => void;
  },
): UsageWatch {
  const { clock, group, limits } = options;
  const throttle = createCpuThrottle({
    clock,
    cpuPercent: group?.limitsCpu === true ? 100 : limits.cpuPercent,
    root,
    spared: new Set(treeOf(root)),
  });
  const cpuMsBefore = group?.usage().cpuMs ?? 0;
  let cpuMs: number | null = null;
  let peakMemoryBytes: number | null = null;
  let writtenBytes: number | null = null;
  let cancel = clock.timer(INTERVAL_MS, tick);

  function tick(): void {
    const processes = poll();
    cancel = clock.timer(processes > MANY_PROCESSES ? LONG_INTERVAL_MS : INTERVAL_MS, tick);
  }

  function poll(): number {
    const sample = sampleTree(root);
    cpuMs = Math.max(cpuMs ?? 0, sample.cpuMs);
    throttle.onUsed(cpuMs);
    if (ask() === null) peakMemoryBytes = Math.max(peakMemoryBytes ?? 0, sample.memoryBytes);
    // A group may be given more, for files that lie in memory.
    if (sample.memoryBytes > limits.memoryBytes && isExceeded()) options.onExceeded('max_memory_mb');
    if (options.writesToDisk) lookAtWritten();
    return sample.processes;
  }

  /** Null without a group, and when somebody has taken it away: then we look ourselves. */
  function ask(): GroupUsage | null {
    const used = usageOf(group);
    if (used === null) return null;
    peakMemoryBytes = used.peakMemoryBytes;
    if (used.cpuMs !== null) cpuMs = used.cpuMs - cpuMsBefore;
    if (used.ranOutOfMemory) options.onExceeded('max_memory_mb');
    return used;
  }

  function lookAtWritten(): void {
    writtenBytes = Math.max(writtenBytes ?? 0, sampleWritten(root));
    if (writtenBytes > (limits.writtenBytes ?? Infinity)) options.onExceeded('max_written_mb');
  }

  /** Forked processes share memory that the quick sample counts for each of them. */
  function isExceeded(): boolean {
    return sampleProportionalMemory(root) > limits.memoryBytes;
  }

  return {
    poll: () => void poll(),
    letGo() {
      throttle.release();
      freeCpuOf(group);
    },
    end() {
      cancel();
      throttle.release();
      const used = ask();
      return {
        usage: { cpuMs, peakMemoryBytes, writtenBytes },
        throttledMs: (used?.throttledMs ?? 0) + throttle.pausedMs(),
        refusedProcesses: used?.refusedProcesses ?? null,
      };
    },
  };
}

/** Null also where somebody has taken it away. */
export function usageOf(group: Cgroup | null): GroupUsage | null {
  try {
    return group?.usage() ?? null;
  } catch {
    return null;
  }
}

function freeCpuOf(group: Cgroup | null): void {
  try {
    group?.freeCpu();
  } catch {
    // It is gone, and its bound with it.
  }
}
