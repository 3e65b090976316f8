import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readStamped } from './seen-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('readStamped() gives up on a file that changes at each read, and does not wait for a missing file', async () => {
  const at = join(folder, 'a');
  let attempts = 0;
  writeFileSync(at, '0');
  const read = async (): Promise<null> => {
    attempts += 1;
    writeFileSync(at, `${attempts}`);
    return null;
  };
  await readStamped(at, join(folder, 'clock'), read);
  expect(attempts).toBeLessThanOrEqual(5);
  const missing = await readStamped(join(folder, 'none'), join(folder, 'clock'), async () => null);
  expect(missing).toEqual({ existing: null, file: null });
});
