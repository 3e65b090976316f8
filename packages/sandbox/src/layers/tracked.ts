import { type Execution, type Isolation, SandboxError } from '@signalbox/core';
import type { ChangesSince, ShadowGit } from '../shadow-git/shadow-git.ts';
import { lookAtRefs } from '../git/refs-since.ts';
import type { Layer } from './layer.ts';

const COMPARED: Isolation['tracking'] = {
  strength: 'sampled',
  why: 'Git compared before and after: what others changed meanwhile counts too, what git ignores does not',
};

/** Adds a shadow git to a layer that writes to the workspace directly, to report what a command changed. */
export function tracked(layer: Layer, shadow: ShadowGit, workspace: string): Layer {
  return {
    name: layer.name,
    async probe() {
      const isolation = await layer.probe();
      const looked = await look(shadow);
      return { ...isolation, tracking: typeof looked === 'function' ? COMPARED : looked };
    },
    async run(request, hooks, isolation) {
      if (request.workspace === 'read') return layer.run(request, hooks, isolation);
      const [looked, refsSince] = [await look(shadow), await lookAtRefs(workspace)];
      if (typeof looked !== 'function') return layer.run(request, hooks, { ...isolation, tracking: looked });
      const execution = await withChanges(await layer.run(request, hooks, isolation), looked);
      const git = await refsSince();
      return git.length === 0 ? execution : { ...execution, git: [...(execution.git ?? []), ...git] };
    },
  };
}

/** The result stands even if the changes can't be determined. */
async function withChanges(execution: Execution, changesSince: ChangesSince): Promise<Execution> {
  try {
    return { ...execution, changes: await changesSince() };
  } catch (cause) {
    if (!(cause instanceof SandboxError)) throw cause;
    return { ...execution, isolation: { ...execution.isolation, tracking: untold(cause) } };
  }
}

/** Untracked changes are no reason to reject a command here: its claims cover what it may write. */
async function look(shadow: ShadowGit): Promise<ChangesSince | Isolation['tracking']> {
  try {
    return await shadow.look();
  } catch (cause) {
    if (!(cause instanceof SandboxError)) throw cause;
    return untold(cause);
  }
}

function untold({ message, why }: SandboxError): Isolation['tracking'] {
  return { strength: 'off', why: [message, ...why].join(': ') };
}
