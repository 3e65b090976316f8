import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executorContract } from '@signalbox/core/testing';
import { createExecutor } from './executor.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { systemClock } from './testing/system-clock.ts';

const WAYS = [
  { confinement: 'required', transactions: 'off' },
  { confinement: 'required', transactions: 'where-possible' },
  { confinement: 'off-by-operator' },
] as const satisfies Partial<ExecutorOptions>[];

for (const way of WAYS) {
  executorContract(JSON.stringify(way), async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
    const options: ExecutorOptions = {
      workspace: join(folder, 'workspace'),
      stateFolder: join(folder, 'state'),
      path: process.env['PATH'] ?? '/usr/bin:/bin',
      home: process.env['HOME'] ?? '/',
      ...way,
      clock: systemClock,
      graceMs: 300,
    };
    mkdirSync(options.workspace);
    return {
      executor: createExecutor(options),
      close: async () => rmSync(folder, { recursive: true, force: true }),
    };
  });
}
