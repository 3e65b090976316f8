import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, inject, test, vi } from 'vitest';
import { createHarness } from '../testing/sandbox-harness.ts';

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

test('shutting down right after a command removes the standby sandbox', async () => {
  const harness = createHarness({ transactions: 'where-possible' });
  for (let round = 0; round < 3; round++) {
    spawnSync(process.execPath, [RUN_ONE, harness.optionsJson, 'sleep 0.06']);
  }
  await vi.waitFor(() => expect(processesAt(harness.folder)).toEqual([]), { timeout: 30_000 });
  await harness.close();
});
