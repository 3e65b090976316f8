import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder, which is gone when the running test has ended. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-coordinator-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
