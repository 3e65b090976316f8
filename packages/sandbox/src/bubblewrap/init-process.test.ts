import { expect, test } from 'vitest';
import { createSandboxContext } from '../sandbox-context.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createHarness } from '../testing/sandbox-harness.ts';
import { systemClock } from '../testing/system-clock.ts';
import { TRIAL } from '../isolation.ts';
import { treeOf } from '../process-tree/process-tree.ts';
import { sendSignal } from '../process.ts';
import { createStarter } from '../starter/starter.ts';
import { prepareState } from '../state-folder.ts';
import { startInit } from './init-process.ts';

const POLL_MS = 200;

test('a sandbox does not begin before the supervisor watches its start', async () => {
  const harness = createHarness();
  const options = {
    ...(JSON.parse(harness.optionsJson) as Omit<ExecutorOptions, 'clock'>),
    clock: systemClock,
  };
  let peak = 0;
  const unwatched = { leave: async () => null };
  const starter = createStarter({
    folder: options.stateFolder,
    ...prepareState(options),
    supervisor: { watch: () => unwatched },
  });
  const init = startInit({
    argv: await createSandboxContext(options).confinedArgv(TRIAL),
    createGroup: null,
    starter,
    supervisor: {
      watch([group = 0]) {
        const until = performance.now() + POLL_MS;
        while (performance.now() < until) peak = Math.max(peak, treeOf(-group).length);
        return unwatched;
      },
    },
  });
  expect(await init.waiting).toBeGreaterThan(0);
  expect(peak).toBe(1);
  sendSignal(init.process.pid ?? 0, 'SIGKILL');
  await init.process.ended;
  await harness.close();
});
