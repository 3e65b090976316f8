import { setTimeout as pause } from 'node:timers/promises';
import { isStopped, switchesOf, treeOf } from './process-tree.ts';
import { sendSignal } from '../process.ts';

/** Most reads, 1 ms apart. A tree that doesn't stop by then forks faster than we read, and is killed. */
const MAX_READS = 2000;
/**
 * Consecutive reads that must find the same processes, all stopped. A fork in flight shows only after its
 * parent has stopped, and a process that leaves its parent at that moment only in the read after that.
 */
const SAME_READS = 5;

/**
 * Pauses a process and its descendants, and resolves when none of them can run.
 *
 * @returns false if they could not be paused
 */
export async function pauseTree(root: number): Promise<boolean> {
  let before = '';
  let same = 0;
  for (let read = 0; read < MAX_READS; read++) {
    const pids = treeOf(root);
    for (const pid of pids) sendSignal(pid, 'SIGSTOP');
    const now = pids.join(' ');
    same = now === before && pids.every(isStopped) ? same + 1 : 0;
    if (same === SAME_READS) return true;
    before = now;
    await pause(1);
  }
  return false;
}

/** Returns a check that no process of a paused tree has run since. A timer of its own may resume it. */
export function watchPaused(root: number): () => boolean {
  const paused = switchesOf(root);
  return () => {
    const isPaused = treeOf(root).every(isStopped);
    return isPaused && [...switchesOf(root)].every(([thread, count]) => paused.get(thread) === count);
  };
}

export function resumeTree(root: number): void {
  for (const pid of treeOf(root)) sendSignal(pid, 'SIGCONT');
}
