import type { CommandPlace } from '../command-place.ts';
import { runCommand } from '../command-run.ts';
import { UNCONFINED } from '../isolation.ts';
import type { Layer } from './layer.ts';

/** L5: nothing confines a command; only because an operator said so when they started us. */
export function createUnconfinedLayer(place: CommandPlace): Layer {
  return {
    name: 'none',
    probe: async () => UNCONFINED,
    run: (request, hooks, isolation) => runCommand(request, hooks, place.unconfinedRun(request, isolation)),
  };
}
