import { setTimeout as pause } from 'node:timers/promises';
import { isAliveApart, processesOfCommand, treeOf } from './process-tree.ts';
import { sendSignal, type StartedProcess } from './process.ts';

/** All processes of one command, to be signalled and outlived. */
export type Tree = {
  /** Its topmost process, by the machine's numbers: the first of its own pid namespace, or the keeper. */
  readonly root: Promise<number | null>;
  readonly setRoot: (pid: number) => void;
  /** Asks every process to end. */
  readonly terminate: () => void;
  readonly kill: () => void;
  /** After the process we started has ended: resolves when nothing of the tree lives. */
  readonly dead: () => Promise<void>;
};

export function createTree(options: {
  readonly started: StartedProcess;
  /** The command whose processes are found by their environment; null where a confinement holds them together. */
  readonly strayCommandId: string | null;
  /** Called with each kill, for what signals do not reach. */
  readonly onKill?: () => void;
}): Tree {
  const { started, strayCommandId } = options;
  const found = Promise.withResolvers<number | null>();
  let root: number | null = null;
  if (strayCommandId !== null) setRoot(started.pid ?? null);
  void started.ended.then(() => setRoot(null));

  function setRoot(pid: number | null): void {
    root ??= pid;
    found.resolve(pid);
  }

  /** Without a pid namespace a process may leave the tree; its environment still tells whose it is. */
  function strays(): number[] {
    return strayCommandId === null ? [] : processesOfCommand(strayCommandId);
  }

  function all(): number[] {
    const inTree = root === null ? [] : treeOf(root);
    return [...new Set([...inTree, ...strays()])];
  }

  /** Bubblewrap's end takes it along; this is for the case that it does not. */
  function killRoot(): boolean {
    if (root === null || !isAliveApart(root)) return false;
    sendSignal(root, 'SIGKILL');
    return true;
  }

  return {
    root: found.promise,
    setRoot,
    terminate() {
      for (const pid of all()) sendSignal(pid, 'SIGTERM');
    },
    kill() {
      options.onKill?.();
      const pids = root === null && started.pid !== undefined ? treeOf(started.pid) : all();
      // The first of a pid namespace takes all the others with it; bubblewrap's death takes that one.
      // Of bubblewrap's start too, which it could leave behind: that process would wait for it for ever.
      if (started.pid !== undefined) sendSignal(-started.pid, 'SIGKILL');
      for (const pid of pids) sendSignal(pid, 'SIGKILL');
    },
    async dead() {
      if (strayCommandId === null) return outlive(killRoot);
      if (started.pid !== undefined) sendSignal(-started.pid, 'SIGKILL');
      await outlive(() => {
        const left = strays();
        for (const pid of left) sendSignal(pid, 'SIGKILL');
        return left.length > 0;
      });
    },
  };
}

/**
 * The kernel kills a pid namespace in its own time, some milliseconds, and tells nobody but the parent that is gone. It is asked
 * again after a quarter of what was waited already: who waits is a command that is over otherwise.
 */
export async function outlive(isLiving: () => boolean): Promise<void> {
  for (let waitedMs = 0; isLiving();) {
    const waitMs = Math.min(Math.max(1, Math.floor(waitedMs / 4)), 50);
    await pause(waitMs);
    waitedMs += waitMs;
  }
}
