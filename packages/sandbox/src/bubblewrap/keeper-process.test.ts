import { expect, test } from 'vitest';
import { createCommandPlace } from '../command-place.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createStage } from '../fixtures/stage.ts';
import { systemClock } from '../fixtures/system-clock.ts';
import { TRIAL } from '../isolation.ts';
import { treeOf } from '../process-tree.ts';
import { sendSignal } from '../process.ts';
import { createStarter } from '../starter/starter.ts';
import { prepareState } from '../state-folder.ts';
import { startKeeper } from './keeper-process.ts';

const LOOK_MS = 200;

test('nothing of a sandbox begins before somebody is there to end its start with us', async () => {
  const stage = createStage();
  const options = {
    ...(JSON.parse(stage.optionsJson) as Omit<ExecutorOptions, 'clock'>),
    clock: systemClock,
  };
  let most = 0;
  const unwatched = { leave: async () => null };
  const starter = createStarter({
    folder: options.stateFolder,
    ...prepareState(options),
    supervisor: { watch: () => unwatched },
  });
  const keeper = startKeeper({
    argv: await createCommandPlace(options).confinedArgv(TRIAL),
    createGroup: null,
    starter,
    supervisor: {
      watch([group = 0]) {
        const until = performance.now() + LOOK_MS;
        while (performance.now() < until) most = Math.max(most, treeOf(-group).length);
        return unwatched;
      },
    },
  });
  expect(await keeper.waiting).toBeGreaterThan(0);
  expect(most).toBe(1);
  sendSignal(keeper.process.pid ?? 0, 'SIGKILL');
  await keeper.process.ended;
  await stage.close();
});
