import type { CommandPlace } from '../command-place.ts';
import { runCommand } from '../command-run.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { UNCONFINED } from '../isolation.ts';
import { memoryForFiles, withWrittenBounds } from '../written-bounds.ts';
import type { Layer } from './layer.ts';

/** L5: nothing confines a command; only because an operator said so when they started us. */
export function createUnconfinedLayer(
  place: CommandPlace,
  { filesInMemoryBytes }: Pick<ExecutorOptions, 'filesInMemoryBytes'>,
): Layer {
  return {
    name: 'none',
    probe: async () => UNCONFINED,
    run(request, hooks, isolation) {
      const limits = withWrittenBounds(request.limits, memoryForFiles(filesInMemoryBytes));
      const options = place.unconfinedRun(request, isolation);
      return runCommand({ ...request, limits }, hooks, { ...options, writesToDisk: true });
    },
  };
}
