import { randomUUID } from 'node:crypto';
import type { EndOfCall, Service, ServiceCall } from '@signalbox/core';
import type { NameGuard } from './direct/guard-names.ts';
import { hiddenFrom } from './git/hidden-from-git.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { pauseTree, resumeTree } from './pause-tree.ts';

/** What is held to the files that programs of the person read, from before its start on. */
export type WatchedService = NonNullable<Service['watch']> & {
  /** Before it is asked to end: it has to go on for that. */
  readonly beginEnd: () => Promise<EndOfCall>;
};

/** How to pause a program, once there is one. */
type Held = { readonly pid: number | undefined; readonly kill: () => void };

/**
 * Watches a program that writes to the workspace itself and outlives its calls.
 *
 *   started ──endStart──▶ paused ──begin──▶ at work ──last call ended──▶ paused
 *
 * Call it before what stands is mounted read-only. Paused in between, it can write nothing that no call answers for. One
 * without confinement is not paused: its processes can leave us.
 */
export async function watchService(
  guard: NameGuard,
  options: Pick<ExecutorOptions, 'isDenied' | 'readView'> & { readonly confined: boolean },
): Promise<(held: Held) => WatchedService> {
  const { confined } = options;
  const mounted = await guard.look();
  const watch = async ({ id, agreed }: ServiceCall): Promise<EndOfCall> =>
    guard.watch({
      id,
      agreed,
      isFixed: confined,
      mounted,
      hidden: confined ? hiddenFrom({}, options) : undefined,
    });
  const named = (): ServiceCall => ({ id: `server-${randomUUID()}`, agreed: [] });
  const first = await watch(named());

  return ({ pid, kill }) => {
    let atWork = 1;

    async function begin(call: ServiceCall): Promise<EndOfCall> {
      const takeBack = await watch(call);
      atWork += 1;
      if (confined && pid !== undefined) resumeTree(pid);
      return once(() => end(takeBack));
    }

    async function end(takeBack: EndOfCall): Promise<readonly string[]> {
      atWork -= 1;
      if (confined && pid !== undefined && atWork === 0 && !(await pauseTree(pid))) kill();
      // Another call has begun while it came to rest.
      if (confined && pid !== undefined && atWork > 0) resumeTree(pid);
      return takeBack();
    }

    return { endStart: once(() => end(first)), begin, beginEnd: async () => begin(named()) };
  };
}

function once(end: EndOfCall): EndOfCall {
  let ended: ReturnType<EndOfCall> | null = null;
  return () => (ended ??= end());
}
