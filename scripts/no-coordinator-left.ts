import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { backgroundCoordinators, killNow } from '../packages/core/src/testing/background-coordinators.ts';

const CHECKOUT = join(import.meta.dirname, '..') + sep;
/** Where tests create their workspaces. */
const FOLDERS: readonly string[] = [tmpdir(), '/dev/shm'].map((folder) => folder + sep);

/**
 * Fails a test run that leaves a coordinator in the background: one stays for 15 minutes, although its folder is gone.
 */
export function setup(): () => void {
  const earlier = new Set(ofTests().map(({ pid }) => pid));
  return () => {
    const left = ofTests().filter(({ pid }) => !earlier.has(pid));
    left.forEach(killNow);
    if (left.length === 0) return;
    const named = left.map(({ pid, workspace }) => `process ${pid} of ${workspace}`);
    throw new Error(`Tests left coordinators running: ${named.join(', ')}`);
  };
}

function ofTests() {
  return backgroundCoordinators().filter(
    ({ entry, workspace }) =>
      entry.startsWith(CHECKOUT) && FOLDERS.some((folder) => workspace.startsWith(folder)),
  );
}
