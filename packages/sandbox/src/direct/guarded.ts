import type { Execution } from '@signalbox/core';
import { exitCodeOf } from '@signalbox/core';
import type { Layer } from '../layers/layer.ts';
import { type Denials, hiddenFrom } from '../git/hidden-from-git.ts';
import type { NameGuard, RevertNames } from './guard-names.ts';

/**
 * Guards a layer that writes to the workspace directly: a call that leaves code for the user's programs fails,
 * and those changes are reverted.
 */
export function guarded(layer: Layer, guard: NameGuard, options: Denials): Layer {
  return {
    ...layer,
    async run(request, hooks, isolation) {
      if (request.workspace === 'read') return layer.run(request, hooks, isolation);
      const { commandId: id, agreed = [], movesTree = false, fetches = false } = request;
      // Without a sandbox nothing is hidden.
      const isConfined = layer.name !== 'none';
      const hidden = isConfined ? hiddenFrom(request, options) : undefined;
      const revert = await guard.watch({ id, agreed, isFixed: isConfined, movesTree, fetches, hidden });
      return failedFor(await endedOrReverted(layer.run(request, hooks, isolation), revert), await revert());
    },
  };
}

async function endedOrReverted(running: Promise<Execution>, revert: RevertNames): Promise<Execution> {
  try {
    return await running;
  } catch (cause) {
    await revert();
    throw cause;
  }
}

function failedFor(execution: Execution, why: readonly string[]): Execution {
  if (why.length === 0) return execution;
  const { ended, git = [] } = execution;
  // A command we ended keeps its outcome.
  if (ended.kind !== 'exited' && ended.kind !== 'signalled') return { ...execution, git: [...git, ...why] };
  return {
    ...execution,
    ended: { kind: 'refused', code: 'quarantined', exitCode: exitCodeOf(execution), why },
  };
}
