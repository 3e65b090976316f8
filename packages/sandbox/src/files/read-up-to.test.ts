import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bytesAt } from '../git/bytes-at.ts';
import { readUpTo, readUpToSync } from './read-up-to.ts';

test('a file up to the bound is read entirely, a larger one not at all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a');
  for (const size of [0, 1, 65_535, 65_536, 65_537, 300_000]) {
    const content = randomBytes(size);
    writeFileSync(path, content);
    for (const maxBytes of [size, size + 1, 1024 ** 2]) {
      await using handle = await open(path);
      expect((await readUpTo(handle, maxBytes))?.equals(content)).toBe(true);
      const file = openSync(path, 'r');
      expect(readUpToSync(file, maxBytes)?.equals(content)).toBe(true);
      closeSync(file);
    }
    if (size === 0) continue;
    await using handle = await open(path);
    expect(await readUpTo(handle, size - 1)).toBeNull();
  }
});

test('reading a file that keeps growing ends at the bound', async () => {
  let read = 0;
  const endless = {
    async read(buffer: Buffer) {
      read += buffer.length;
      return { bytesRead: buffer.length, buffer };
    },
  };
  expect(await readUpTo(endless as never, 1_000_000)).toBeNull();
  expect(read).toBe(1_000_001);
});

test.skipIf(process.platform !== 'linux')('a file with a reported size of 0 is bounded too', () => {
  expect(bytesAt('/proc/self/smaps', 1000)).toBeNull();
  expect(bytesAt('/proc/self/smaps', 1024 ** 2)?.length).toBeGreaterThan(1000);
});
