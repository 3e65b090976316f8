import { randomUUID } from 'node:crypto';
import type { CallEnd, Service, ServiceCall } from '@signalbox/core';
import type { NameGuard } from './direct/guard-names.ts';
import type { WatchedSnapshot } from './direct/watched-snapshot.ts';
import { hiddenFrom } from './git/hidden-from-git.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { pauseTree, resumeTree, watchPaused } from './process-tree/pause-tree.ts';

/** Watches the files that the user's programs read, from before the start of a service. */
export type WatchedService = NonNullable<Service['watch']> & {
  /** Call before asking it to end, which requires it to run. */
  readonly beginEnd: () => Promise<CallEnd>;
};

/** State while paused: the files before, and whether it has not run since. */
type Rest = { readonly look: WatchedSnapshot; readonly isResting: () => boolean };

/** How to pause a program. */
type Held = {
  readonly pid: number | undefined;
  /** Once ended, its pid may belong to another process. */
  readonly isEnded: () => boolean;
  readonly kill: () => void;
};

/**
 * Watches a program that writes to the workspace directly and outlives its calls.
 *
 *   started ──endStart──▶ paused ──begin──▶ at work ──last call ended──▶ paused
 *
 * Call it before existing files are mounted read-only. Between calls the program is paused, so every write
 * belongs to a call. If it resumes itself, the next call is accountable for all changes since, whoever made
 * them. An unconfined program is not paused, as its processes can detach.
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
    /** The process to pause; null if unconfined or gone. */
    const root = (): number | null => (confined && pid !== undefined && !isEnded() ? pid : null);

    async function begin(call: ServiceCall): Promise<CallEnd> {
      const now = await guard.look();
      const since = rest === null || rest.isResting() ? now : rest.look;
      const endCall = await watch(call, since);
      atWork += 1;
      rest = null;
      resume();
      return once(() => end(endCall, since));
    }

    function resume(): void {
      const living = root();
      if (living !== null) resumeTree(living);
    }

    async function end(endCall: CallEnd, since: WatchedSnapshot): Promise<readonly string[]> {
      atWork -= 1;
      const living = root();
      if (living !== null && atWork === 0 && !(await pauseTree(living))) kill();
      // Another call began while it was being paused.
      if (atWork > 0) resume();
      const isResting = living !== null && atWork === 0 ? watchPaused(living) : null;
      const mine = (rest = isResting === null ? rest : { look: since, isResting });
      const lines = await endCall();
      if (mine === null || rest !== mine) return lines;
      const look = await guard.look();
      // In this order: anything it wrote earlier is part of that snapshot.
      if (rest === mine && mine.isResting()) rest = { ...mine, look };
      return lines;
    }

    const endStart = once(() => {
      isStartOver = true;
      return end(first, mounted);
    });

    /** A program stopped before it served has not ended its start yet. */
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
