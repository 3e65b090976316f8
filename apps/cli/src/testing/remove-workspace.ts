import { rmSync } from 'node:fs';
import { killCoordinators } from '@signalbox/core/testing';
import { configHomeOf } from './own-settings.ts';

/** Ends programs that a test left running for a workspace, and removes it with its user's settings. */
export function removeWorkspace(workspace: string): void {
  killCoordinators(workspace);
  [workspace, configHomeOf(workspace)].forEach(removeQuietly);
}

/** Late writes of a killed program don't fail the test. */
function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Left to the cleanup of the folder for temporary files.
  }
}
