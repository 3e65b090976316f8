import { rmSync } from 'node:fs';
import { killCoordinators } from '@signalbox/core/testing';
import { configHomeOf } from './own-settings.ts';

/** Ends what programs of a test have left running for a workspace, and removes it with its person's settings. */
export function removeWorkspace(workspace: string): void {
  killCoordinators(workspace);
  [workspace, configHomeOf(workspace)].forEach(removeQuietly);
}

/** What a program that was killed still writes there is no failure of the test. */
function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Left to who empties the folder for temporary files.
  }
}
