import { userInfo } from 'node:os';
import { type Execution, type Isolation, SandboxError } from '@signalbox/core';
import type { CommandPlace } from '../command-place.ts';
import { runCommand } from '../command-run.ts';
import { probeLayer, UNCONFINED } from '../isolation.ts';
import type { ChangesSince, ShadowGit } from '../shadow-git/shadow-git.ts';
import type { Layer } from './layer.ts';

/** L2: bubblewrap on the workspace itself. What commands change is told by a git beside it; null: by nobody. */
export function createBindLayer(place: CommandPlace, shadow: ShadowGit | null): Layer {
  const run: Layer['run'] = (request, hooks, isolation) =>
    runCommand(request, hooks, place.confinedRun(request, isolation, place.confinedArgv(request)));

  async function tracking(): Promise<Isolation['tracking'] | null> {
    const looked = shadow === null ? null : await look(shadow);
    if (looked === null) return null;
    return typeof looked === 'function' ? COMPARED : looked;
  }

  return {
    name: 'bind',
    async probe() {
      const isolation = await probeLayer((request, hooks) => run(request, hooks, UNCONFINED), {
        uid: userInfo().uid,
        groups: place.groups(),
      });
      return { ...isolation, backend: place.backend(), tracking: (await tracking()) ?? isolation.tracking };
    },
    async run(request, hooks, isolation) {
      if (shadow === null || request.workspace === 'read') return run(request, hooks, isolation);
      const looked = await look(shadow);
      if (typeof looked !== 'function') return run(request, hooks, { ...isolation, tracking: looked });
      return withChanges(await run(request, hooks, isolation), looked);
    },
  };
}

const COMPARED: Isolation['tracking'] = {
  strength: 'sampled',
  why: 'Git compared before and after: what others changed meanwhile counts too, what git ignores does not',
};

/** What it did stays done, whether it can be told or not. */
async function withChanges(execution: Execution, changesSince: ChangesSince): Promise<Execution> {
  try {
    return { ...execution, changes: await changesSince() };
  } catch (cause) {
    if (!(cause instanceof SandboxError)) throw cause;
    return { ...execution, isolation: { ...execution.isolation, tracking: untold(cause) } };
  }
}

/** Not to know what a command changes is no reason to refuse it here: its claims cover what it may write. */
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
