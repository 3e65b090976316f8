import { availableParallelism } from 'node:os';
import type { Clock } from '@signalbox/core';
import { treeOf } from '../process-tree/process-tree.ts';
import { sendSignal } from '../process.ts';

/** Limits the CPU share of a process tree without the kernel, by pausing it when it is over. */
export type CpuThrottle = {
  /** Takes the total CPU time the tree has used. */
  readonly onUsed: (cpuMs: number) => void;
  /** Resumes the tree. Call before stopping it, and at the end. */
  readonly release: () => void;
  readonly pausedMs: () => number;
};

/** Longer pauses would look like a hang. */
const MAX_PAUSE_MS = 1000;
/** CPU time granted without pauses, since most commands are short. */
const FREE_MS = 200;

/** @param spared Our own processes at the top of the tree, which are never paused. */
export function createCpuThrottle(options: {
  readonly clock: Clock;
  /** Percent of all processors together; 100 means no limit. */
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
