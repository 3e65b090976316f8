import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPipes, newBatch } from './output-pipe.ts';

describe.runIf(process.platform === 'linux')('pipes created by another process', () => {
  function folderWith(batch: string, numbers: readonly number[]): string {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    spawnSync(
      '/usr/bin/mkfifo',
      numbers.map((number) => join(folder, `${batch}-${number}`)),
    );
    return folder;
  }

  test('are taken over if they exist, and their names are removed', () => {
    const batch = newBatch();
    const folder = folderWith(batch, [1, 2, 3]);
    const pipes = createPipes(folder);
    pipes.adopt(batch);
    expect([pipes.spare(), readdirSync(folder)]).toEqual([3, []]);
  });

  test('are missing if the folder was removed, and no new one can be created', () => {
    const batch = newBatch();
    const folder = folderWith(batch, [1]);
    const pipes = createPipes(folder);
    rmSync(folder, { recursive: true });
    pipes.adopt(batch);
    expect([pipes.spare(), pipes.open()]).toEqual([0, null]);
  });
});
