import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { readRecord } from '../client/coordinator-record.ts';
import { createTestWorkspace } from './open-test-house.ts';
import { configHomeOf } from './own-settings.ts';

/**
 * A throw-away git workspace with these files, which is gone when the running test has ended.
 *
 * @param atEnd Of a test that runs beside others: its own `onTestFinished`.
 */
export function ownWorkspace(
  files: Readonly<Record<string, string>> = {},
  atEnd: (remove: () => void) => void = onTestFinished,
): string {
  const workspace = createTestWorkspace(files);
  atEnd(() => {
    killCoordinator(workspace);
    [workspace, configHomeOf(workspace)].forEach(removeQuietly);
  });
  return workspace;
}

/** What a program that was killed still writes there is no failure of the test. */
function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Left to who empties the folder for temporary files.
  }
}

/** One that a program of the test has started in the background; not one of this very process. */
function killCoordinator(workspace: string): void {
  const pid = readRecord(workspace)?.pid;
  if (pid === undefined || pid === process.pid) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
