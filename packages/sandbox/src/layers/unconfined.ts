import type { SandboxContext } from '../sandbox-context.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { UNCONFINED } from '../isolation.ts';
import { runWithNamesWatched } from '../limits/watch-new-names.ts';
import { memoryForFiles, withWrittenBounds } from '../limits/written-bounds.ts';
import type { Layer } from './layer.ts';

/** L5: no confinement. Used only if an operator chose it at start. */
export function createUnconfinedLayer(
  context: SandboxContext,
  { filesInMemoryBytes, workspace }: Pick<ExecutorOptions, 'filesInMemoryBytes' | 'workspace'>,
): Layer {
  return {
    name: 'none',
    probe: async () => UNCONFINED,
    run(request, hooks, isolation) {
      const limits = withWrittenBounds(request.limits, memoryForFiles(filesInMemoryBytes));
      const options = context.unconfinedRun(request, isolation);
      const bounded = { ...options, writesToDisk: true, workspace };
      return runWithNamesWatched({ ...request, limits }, hooks, bounded);
    },
  };
}
