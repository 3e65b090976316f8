import type { Clock, ServiceRequest } from '@signalbox/core';
import { sampleProportionalMemory, sampleTree, treeOf } from '../process-tree/process-tree.ts';
import type { CreateCgroup } from './cgroup.ts';
import { usageOf } from './usage.ts';

/** A server runs long, and sampling takes milliseconds. */
const INTERVAL_MS = 1000;

/** Enforces the limits of a program and its children. */
export type HeldService = {
  /** Whether it was ended for its memory. */
  readonly isOverMemory: () => boolean;
  /** Call when all its processes are dead. */
  readonly letGo: () => void;
};

/**
 * Applies limits to a program that has not begun: by a control group, or otherwise by sampling its memory once
 * a second, with the kernel's own process limit.
 *
 * @param pid Its topmost process, which confines it.
 */
export async function holdService(
  pid: number,
  options: {
    readonly limits: ServiceRequest['limits'];
    /** Null if the system gives us no control groups. */
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
    // The quick count adds memory shared by forks once per process.
    const mayBeOver = sampleTree(pid).memoryBytes > limits.memoryBytes;
    if (mayBeOver && sampleProportionalMemory(pid) > limits.memoryBytes) {
      isOverMemory = true;
      kill();
    } else cancel = clock.timer(INTERVAL_MS, poll);
  }

  return { isOverMemory: () => isOverMemory, letGo: () => cancel() };
}
