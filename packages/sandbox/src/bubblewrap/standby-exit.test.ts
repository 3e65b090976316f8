import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, inject, test, vi } from 'vitest';
import { createStage } from '../fixtures/stage.ts';

const RUN_ONE = inject('runOne');

/** Processes whose arguments name this folder. */
function processesAt(folder: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}

test('who ends right behind a command leaves nothing of what stood by', async () => {
  const stage = createStage({ transactions: 'where-possible' });
  for (let round = 0; round < 3; round++) {
    spawnSync(process.execPath, [RUN_ONE, stage.optionsJson, 'sleep 0.06']);
  }
  await vi.waitFor(() => expect(processesAt(stage.folder)).toEqual([]), { timeout: 30_000 });
  await stage.close();
});
