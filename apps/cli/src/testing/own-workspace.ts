import { onTestFinished } from 'vitest';
import { createTestWorkspace } from './open-test-runtime.ts';
import { removeWorkspace } from './remove-workspace.ts';

/**
 * A temporary git workspace with these files, removed at the end of the running test together with coordinators started
 * there in the background.
 *
 * @param atEnd In a concurrent test: its own `onTestFinished`.
 */
export function ownWorkspace(
  files: Readonly<Record<string, string>> = {},
  atEnd: (remove: () => void) => void = onTestFinished,
): string {
  const workspace = createTestWorkspace(files);
  atEnd(() => removeWorkspace(workspace));
  return workspace;
}
