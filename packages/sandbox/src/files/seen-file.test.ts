import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lookAtFile } from './seen-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('lookAtFile() gives up on a file that changes at each read, and does not wait for a missing file', async () => {
  const at = join(folder, 'a');
  let looks = 0;
  writeFileSync(at, '0');
  const read = async (): Promise<null> => {
    looks += 1;
    writeFileSync(at, `${looks}`);
    return null;
  };
  await lookAtFile(at, join(folder, 'clock'), read);
  expect(looks).toBeLessThanOrEqual(5);
  const missing = await lookAtFile(join(folder, 'none'), join(folder, 'clock'), async () => null);
  expect(missing).toEqual({ standing: null, file: null });
});
