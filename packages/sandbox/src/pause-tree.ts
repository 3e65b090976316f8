import { setTimeout as pause } from 'node:timers/promises';
import { isStopped, treeOf } from './process-tree.ts';
import { sendSignal } from './process.ts';

/** One that does not stop in so many looks, a millisecond apart, forks faster than we look, and is killed. */
const MOST_LOOKS = 2000;

/**
 * Pauses a process and all below it, and settles when none of them can do anything more.
 *
 * @returns false where they could not be paused.
 */
export async function pauseTree(root: number): Promise<boolean> {
  let before = '';
  for (let look = 0; look < MOST_LOOKS; look++) {
    const pids = treeOf(root);
    for (const pid of pids) sendSignal(pid, 'SIGSTOP');
    const now = pids.join(' ');
    // What was forked while its parent was told to stop is in the next list.
    if (now === before && pids.every(isStopped)) return true;
    before = now;
    await pause(1);
  }
  return false;
}

export function resumeTree(root: number): void {
  for (const pid of treeOf(root)) sendSignal(pid, 'SIGCONT');
}
