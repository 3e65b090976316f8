import { userInfo } from 'node:os';
import type { CommandPlace } from '../command-place.ts';
import { runCommand } from '../command-run.ts';
import { probeLayer, UNCONFINED } from '../isolation.ts';
import type { Layer } from './layer.ts';

/** L2: bubblewrap on the workspace itself. */
export function createBindLayer(place: CommandPlace): Layer {
  const run: Layer['run'] = (request, hooks, isolation) =>
    runCommand(request, hooks, place.confinedRun(request, isolation, place.confinedArgv(request)));
  return {
    name: 'bind',
    run,
    async probe() {
      const isolation = await probeLayer((request, hooks) => run(request, hooks, UNCONFINED), {
        uid: userInfo().uid,
        groups: place.groups(),
      });
      return { ...isolation, backend: place.backend() };
    },
  };
}
