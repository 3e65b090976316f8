import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pruneOutputs } from './prune-outputs.ts';

const DAY_MS = 24 * 3_600_000;

/** Files of 10 bytes, each a day older than the previous one. */
function outputs(count: number): { readonly folder: string; readonly left: () => number } {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-outputs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (let age = 0; age < count; age++) {
    const path = join(folder, `${age}.stdout`);
    writeFileSync(path, '0123456789');
    const at = (Date.now() - age * DAY_MS) / 1000;
    utimesSync(path, at, at);
  }
  return { folder, left: () => readdirSync(folder).length };
}

test('the newest outputs within the size limit are kept, and 200 of any age', async () => {
  const few = outputs(5);
  await pruneOutputs(few.folder, { maxAgeMs: Infinity, maxBytes: 35 });
  expect(readdirSync(few.folder).toSorted()).toEqual(['0.stdout', '1.stdout', '2.stdout']);
  const many = outputs(203);
  await pruneOutputs(many.folder, { maxAgeMs: DAY_MS / 2, maxBytes: 1e9 });
  expect(many.left()).toBe(200);
});

test('a missing folder is ignored', async () => {
  await expect(pruneOutputs('/nowhere/at/all')).resolves.toBe(undefined);
});
