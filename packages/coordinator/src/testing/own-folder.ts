import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a folder that is removed when the running test ends. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-coordinator-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
