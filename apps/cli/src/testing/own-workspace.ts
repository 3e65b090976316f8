import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
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
  atEnd(() => [workspace, configHomeOf(workspace)].forEach(removeQuietly));
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
