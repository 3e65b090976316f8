import { setTimeout as pause } from 'node:timers/promises';
import { isStopped, switchesOf, treeOf } from './process-tree.ts';
import { sendSignal } from './process.ts';

/** One that does not stop in so many looks, a millisecond apart, forks faster than we look, and is killed. */
const MOST_READS = 2000;
/**
 * So many looks in a row find the same processes, all stopped: what a fork in flight makes shows only when its parent has
 * stopped, and what leaves its parent at that moment only in the look after.
 */
const SAME_LOOKS = 5;

/**
 * Pauses a process and all below it, and settles when none of them can do anything more.
 *
 * @returns false where they could not be paused.
 */
export async function pauseTree(root: number): Promise<boolean> {
  let before = '';
  let same = 0;
  for (let look = 0; look < MOST_READS; look++) {
    const pids = treeOf(root);
    for (const pid of pids) sendSignal(pid, 'SIGSTOP');
    const now = pids.join(' ');
    same = now === before && pids.every(isStopped) ? same + 1 : 0;
    if (same === SAME_LOOKS) return true;
    before = now;
    await pause(1);
  }
  return false;
}

/** How to tell of a paused tree that nothing in it has run since: a timer of its own may have it go on. */
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
