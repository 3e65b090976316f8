import type { Clock, LimitKey, ResourceUsage } from '@signalbox/core';
import { sampleProportionalMemory, sampleTree, sampleWritten, treeOf } from '../process-tree/process-tree.ts';
import type { BoundedLimits } from './bounded-limits.ts';
import type { Cgroup, GroupUsage } from './cgroup.ts';
import { createCpuThrottle } from './cpu-throttle.ts';

/** Time between two samples; longer above {@link MANY_PROCESSES}, where a sample takes milliseconds. */
const INTERVAL_MS = 100;
const LONG_INTERVAL_MS = 250;
const MANY_PROCESSES = 50;

export type UsageWatch = {
  /**
   * Takes one more sample: when the command has ended or is about to be killed, while its processes still
   * exist.
   */
  readonly poll: () => void;
  /** Stops throttling it. Call before stopping it. */
  readonly letGo: () => void;
  /** Ends the sampling, when the whole tree is dead. */
  readonly end: () => UsageReport;
};

export type UsageReport = {
  readonly usage: ResourceUsage;
  /** How long it was throttled. */
  readonly throttledMs: number;
  /** How often a fork was rejected; null if not counted. */
  readonly refusedProcesses: number | null;
};

export const NOTHING_USED: UsageReport = {
  usage: { cpuMs: null, peakMemoryBytes: null, writtenBytes: null },
  throttledMs: 0,
  refusedProcesses: null,
};

/**
 * Samples a process tree, and enforces its limits if no group does. A group counts exactly. Without one, CPU
 * time is exact at each sample, since parents count the dead they waited for, but memory peaks between samples
 * are missed.
 *
 * @param root The topmost process of a command that has not begun.
 */
export function watchUsage(
  root: number,
  options: {
    readonly clock: Clock;
    readonly limits: Pick<BoundedLimits, 'memoryBytes' | 'cpuPercent' | 'writtenBytes'>;
    /** Whether it writes to a disk without another limit. */
    readonly writesToDisk: boolean;
    /** Counts and limits memory; null without a group. */
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
    // A group's limit may be higher, to include files in memory.
    if (sample.memoryBytes > limits.memoryBytes && isExceeded()) options.onExceeded('max_memory_mb');
    if (options.writesToDisk) lookAtWritten();
    return sample.processes;
  }

  /** Null without a group, or if it was removed: then the tree is sampled. */
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

  /** The quick sample counts memory shared by forks once per process. */
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

/** Null also if it was removed. */
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
    // The group is gone, and its limit with it.
  }
}
