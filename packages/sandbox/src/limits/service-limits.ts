import type { Clock, ServiceRequest } from '@signalbox/core';
import { sampleProportionalMemory, sampleTree, treeOf } from '../process-tree.ts';
import type { CreateCgroup } from './cgroup.ts';
import { usageOf } from './usage.ts';

/** A server lives long, and a look takes milliseconds. */
const INTERVAL_MS = 1000;

/** What holds a program and all that it starts to its limits. */
export type HeldService = {
  /** Whether it was ended for its memory. */
  readonly isOverMemory: () => boolean;
  /** When all its processes are dead. */
  readonly letGo: () => void;
};

/**
 * Holds a program that has not begun to its limits: in a control group, or where there is none by looking at its memory
 * once a second; its processes are the kernel's own count then.
 *
 * @param pid What confines it, topmost of its processes.
 */
export async function holdService(
  pid: number,
  options: {
    readonly limits: ServiceRequest['limits'];
    /** Null where the system gives us none. */
    readonly createGroup: CreateCgroup | null;
    readonly clock: Pick<Clock, 'timer'>;
    readonly kill: () => void;
  },
): Promise<HeldService> {
  const { limits, createGroup } = options;
  if (createGroup === null) return watched(pid, options);
  const group = createGroup();
  let isOverMemory = false;
  try {
    for (const one of treeOf(pid)) await group.attach(one);
    group.limit({ ...limits, cpuPercent: 100 });
  } catch (cause) {
    void group.remove();
    throw cause;
  }
  return {
    isOverMemory: () => (isOverMemory ||= usageOf(group)?.ranOutOfMemory ?? false),
    letGo: () => void group.remove(),
  };
}

function watched(
  pid: number,
  { limits, clock, kill }: Omit<Parameters<typeof holdService>[1], 'createGroup'>,
): HeldService {
  let isOverMemory = false;
  let cancel = clock.timer(INTERVAL_MS, poll);

  function poll(): void {
    // The quick count takes what forked processes share once for each.
    const mayBeOver = sampleTree(pid).memoryBytes > limits.memoryBytes;
    if (mayBeOver && sampleProportionalMemory(pid) > limits.memoryBytes) {
      isOverMemory = true;
      kill();
    } else cancel = clock.timer(INTERVAL_MS, poll);
  }

  return { isOverMemory: () => isOverMemory, letGo: () => cancel() };
}
