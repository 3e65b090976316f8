import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defaultIsDenied } from './default-denials.ts';
import { createDeniedPaths } from './denied-paths.ts';

const FOLDERS = 10_000;
const FILES_EACH = 10;
/** Upper bound on blocking the event loop. */
const MAX_BLOCKED_MS = 50;

test('scanning 100,000 files for denied paths does not block the event loop', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(workspace, `p${folder % 100}`, `q${Math.floor(folder / 100)}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_EACH; file++) writeFileSync(join(path, `f${file}.ts`), '');
  }
  writeFileSync(join(workspace, 'p7/q7/.env'), 'x');
  const findDenied = createDeniedPaths(workspace, defaultIsDenied);
  // Long enough after the last change for each folder to be cached.
  await pause(200);
  const blocked: number[] = [];
  for (const name of ['first', 'second', 'third']) {
    let last = performance.now();
    let longest = 0;
    const note = (): void => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    };
    const ticking = setInterval(note, 1);
    const start = performance.now();
    const found = await findDenied();
    const took = performance.now() - start;
    await pause(2);
    note();
    clearInterval(ticking);
    blocked.push(longest);
    console.log(
      `${name} scan: ${took.toFixed(0)} ms, the event loop was blocked for ${longest.toFixed(0)} ms at most`,
    );
    expect(found).toEqual([{ path: 'p7/q7/.env', kind: 'file' }]);
  }
  rmSync(workspace, { recursive: true, force: true });
  expect(Math.max(...blocked.slice(1))).toBeLessThan(MAX_BLOCKED_MS);
}, 120_000);
