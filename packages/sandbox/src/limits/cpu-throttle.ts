import { availableParallelism } from 'node:os';
import type { Clock } from '@signalbox/core';
import { treeOf } from '../process-tree.ts';
import { sendSignal } from '../process.ts';

/** Holds a process tree to a share of the processors where the kernel does not: by pausing what is over it. */
export type CpuThrottle = {
  /** Told the processor time that the tree has used in all. */
  readonly onUsed: (cpuMs: number) => void;
  /** Lets it go on: before it is asked to end, and at the end. */
  readonly release: () => void;
  readonly pausedMs: () => number;
};

/** Longer pauses would look like a hang to who waits for an answer. */
const MAX_PAUSE_MS = 1000;
/** Used at once without a pause, since what starts is often short. */
const FREE_MS = 200;

/** @param spared Processes of ours at the top of the tree, which are never paused. */
export function createCpuThrottle(options: {
  readonly clock: Clock;
  /** Percent of all processors together; 100 is no bound. */
  readonly cpuPercent: number;
  readonly root: number;
  readonly spared: ReadonlySet<number>;
}): CpuThrottle {
  const { clock, cpuPercent, root, spared } = options;
  const allowedPerMs = (cpuPercent / 100) * availableParallelism();
  const startedAt = clock.monotonic();
  let pausedMs = 0;
  let isOver = false;
  let resume: (() => void) | null = null;

  function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of treeOf(root)) if (!spared.has(pid)) sendSignal(pid, name);
  }

  function pause(overMs: number): void {
    const began = clock.monotonic();
    signal('SIGSTOP');
    const cancel = clock.timer(Math.min(MAX_PAUSE_MS, overMs / allowedPerMs), () => resume?.());
    resume = () => {
      resume = null;
      cancel();
      pausedMs += clock.monotonic() - began;
      signal('SIGCONT');
    };
  }

  return {
    onUsed(cpuMs) {
      if (cpuPercent >= 100 || isOver || resume !== null) return;
      const overMs = cpuMs - FREE_MS - (clock.monotonic() - startedAt) * allowedPerMs;
      if (overMs > 0) pause(overMs);
    },
    release() {
      isOver = true;
      resume?.();
    },
    pausedMs: () => pausedMs,
  };
}
