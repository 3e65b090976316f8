import { ownAccount } from '../account.ts';
import { ownTemporaryFolders } from '../bubblewrap/mounts.ts';
import type { SandboxContext } from '../sandbox-context.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { probeLayer, UNCONFINED } from '../isolation.ts';
import { runWithNamesWatched } from '../limits/watch-new-names.ts';
import { memoryForFiles, withWrittenBounds } from '../limits/written-bounds.ts';
import type { Layer } from './layer.ts';

/** L2: bubblewrap on the workspace itself. */
export function createBindLayer(
  context: SandboxContext,
  {
    filesInMemoryBytes,
    onTrial,
    workspace,
  }: Pick<ExecutorOptions, 'filesInMemoryBytes' | 'onTrial' | 'workspace'>,
): Layer {
  const run: Layer['run'] = async (request, hooks, isolation) => {
    const limits = withWrittenBounds(request.limits, memoryForFiles(filesInMemoryBytes));
    const options = context.confinedRun(request, isolation, () => context.confinedArgv(request));
    const bounded = { ...options, writesToDisk: true, workspace };
    return runWithNamesWatched({ ...request, limits }, hooks, bounded);
  };
  return {
    name: 'bind',
    run,
    async probe() {
      const backend = context.backend();
      const isolation = await probeLayer((request, hooks) => run(request, hooks, UNCONFINED), {
        uid: ownAccount().uid,
        groups: context.groups(),
        onTrial,
      });
      return { ...isolation, backend: await backend, ownFolders: ownTemporaryFolders() };
    },
  };
}
