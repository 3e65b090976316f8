import { randomUUID } from 'node:crypto';
import type { CallEnd, Service, ServiceCall } from '@signalbox/core';
import type { NameGuard } from './direct/guard-names.ts';
import type { WatchedSnapshot } from './direct/watched-snapshot.ts';
import { hiddenFrom } from './git/hidden-from-git.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { pauseTree, resumeTree, watchPaused } from './pause-tree.ts';

/** What is held to the files that programs of the person read, from before its start on. */
export type WatchedService = NonNullable<Service['watch']> & {
  /** Before it is asked to end: it has to go on for that. */
  readonly beginEnd: () => Promise<CallEnd>;
};

/** While it is paused: what stood before, and whether it has not run since. */
type Rest = { readonly look: WatchedSnapshot; readonly isResting: () => boolean };

/** How to pause a program, once there is one. */
type Held = {
  readonly pid: number | undefined;
  /** Then its number may be that of another process. */
  readonly isEnded: () => boolean;
  readonly kill: () => void;
};

/**
 * Watches a program that writes to the workspace itself and outlives its calls.
 *
 *   started ──endStart──▶ paused ──begin──▶ at work ──last call ended──▶ paused
 *
 * Call it before what stands is mounted read-only. Paused in between, it can write nothing that no call answers for; when it has
 * itself go on all the same, the next call answers for what came since, whoever wrote it. One
 * without confinement is not paused: its processes can leave us.
 */
export async function watchService(
  guard: NameGuard,
  options: Pick<ExecutorOptions, 'isDenied' | 'readView'> & { readonly confined: boolean },
): Promise<(held: Held) => WatchedService> {
  const { confined } = options;
  const mounted = await guard.look();
  const watch = async ({ id, agreed }: ServiceCall, since: WatchedSnapshot): Promise<CallEnd> =>
    guard.watch({
      id,
      agreed,
      isFixed: confined,
      mounted,
      since,
      hidden: confined ? hiddenFrom({}, options) : undefined,
    });
  const named = (): ServiceCall => ({ id: `server-${randomUUID()}`, agreed: [] });
  const first = await watch(named(), mounted);

  return ({ pid, isEnded, kill }) => {
    let atWork = 1;
    let rest: Rest | null = null;
    let isStartOver = false;
    /** What can be paused; null of what is not confined, or gone. */
    const root = (): number | null => (confined && pid !== undefined && !isEnded() ? pid : null);

    async function begin(call: ServiceCall): Promise<CallEnd> {
      const now = await guard.look();
      const since = rest === null || rest.isResting() ? now : rest.look;
      const takeBack = await watch(call, since);
      atWork += 1;
      rest = null;
      resume();
      return once(() => end(takeBack, since));
    }

    function resume(): void {
      const living = root();
      if (living !== null) resumeTree(living);
    }

    async function end(takeBack: CallEnd, since: WatchedSnapshot): Promise<readonly string[]> {
      atWork -= 1;
      const living = root();
      if (living !== null && atWork === 0 && !(await pauseTree(living))) kill();
      // Another call has begun while it came to rest.
      if (atWork > 0) resume();
      const isResting = living !== null && atWork === 0 ? watchPaused(living) : null;
      const mine = (rest = isResting === null ? rest : { look: since, isResting });
      const lines = await takeBack();
      if (mine === null || rest !== mine) return lines;
      const look = await guard.look();
      // In this order: what it wrote before that look would have stood already.
      if (rest === mine && mine.isResting()) rest = { ...mine, look };
      return lines;
    }

    const endStart = once(() => {
      isStartOver = true;
      return end(first, mounted);
    });

    /** One that is stopped before it served has not ended its start. */
    async function beginEnd(): Promise<CallEnd> {
      const endOfStop = await begin(named());
      return async () => [...(isStartOver ? [] : await endStart()), ...(await endOfStop())];
    }

    return { endStart, begin, beginEnd };
  };
}

function once(end: CallEnd): CallEnd {
  let ended: ReturnType<CallEnd> | null = null;
  return () => (ended ??= end());
}
