import { onTestFinished } from 'vitest';
import { createTestWorkspace } from './open-test-runtime.ts';
import { removeWorkspace } from './remove-workspace.ts';

/**
 * A throw-away git workspace with these files, which is gone when the running test has ended, with each coordinator that was
 * started there in the background.
 *
 * @param atEnd Of a test that runs beside others: its own `onTestFinished`.
 */
export function ownWorkspace(
  files: Readonly<Record<string, string>> = {},
  atEnd: (remove: () => void) => void = onTestFinished,
): string {
  const workspace = createTestWorkspace(files);
  atEnd(() => removeWorkspace(workspace));
  return workspace;
}
