import { join } from 'node:path';
import { type Execution, type Isolation, SandboxError } from '@signalbox/core';
import { refLine } from '../git/git-lines.ts';
import { readRefs } from '../inspect/read-refs.ts';
import type { ChangesSince, ShadowGit } from '../shadow-git/shadow-git.ts';
import type { Layer } from './layer.ts';

const COMPARED: Isolation['tracking'] = {
  strength: 'sampled',
  why: 'Git compared before and after: what others changed meanwhile counts too, what git ignores does not',
};

/** Adds a shadow git to a layer that writes to the workspace directly, to report what a command changed. */
export function tracked(layer: Layer, workspace: string, shadow: ShadowGit): Layer {
  return {
    name: layer.name,
    async probe() {
      const isolation = await layer.probe();
      const changes = await changesSoFar(shadow);
      return { ...isolation, tracking: typeof changes === 'function' ? COMPARED : changes };
    },
    async run(request, hooks, isolation) {
      if (request.workspace === 'read') return layer.run(request, hooks, isolation);
      const [changes, refsSince] = [await changesSoFar(shadow), await trackRefs(workspace)];
      if (typeof changes !== 'function')
        return layer.run(request, hooks, { ...isolation, tracking: changes });
      const execution = await withChanges(await layer.run(request, hooks, isolation), changes);
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
    return { ...execution, isolation: { ...execution.isolation, tracking: untrackedFor(cause) } };
  }
}

/** Untracked changes are no reason to reject a command here: its claims cover what it may write. */
async function changesSoFar(shadow: ShadowGit): Promise<ChangesSince | Isolation['tracking']> {
  try {
    return await shadow.list();
  } catch (cause) {
    if (!(cause instanceof SandboxError)) throw cause;
    return untrackedFor(cause);
  }
}

function untrackedFor({ message, why }: SandboxError): Isolation['tracking'] {
  return { strength: 'off', why: [message, ...why].join(': ') };
}

/**
 * Returns a function that lists changes to refs and HEAD since this call, one per line, by anyone. For a
 * repository at the workspace itself.
 */
async function trackRefs(workspace: string): Promise<() => Promise<readonly string[]>> {
  const before = await refsNow(workspace);
  return async () => {
    const after = await refsNow(workspace);
    return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((name) => {
      const [from, to] = [before.get(name) ?? null, after.get(name) ?? null];
      return from === to ? [] : [refLine(name, { from, to })];
    });
  };
}

async function refsNow(workspace: string): Promise<ReadonlyMap<string, string>> {
  const folder = join(workspace, '.git');
  const refs = await readRefs(folder, folder);
  const { branch, commit } = refs.head;
  const head = branch === null ? commit : `refs/heads/${branch}`;
  return new Map([...(head === null ? [] : [['HEAD', head] as const]), ...(await refs.below('refs/'))]);
}
