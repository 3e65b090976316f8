import { setTimeout as pause } from 'node:timers/promises';
import { isAliveApart, processesOfCommand, treeOf } from './process-tree.ts';
import { sendSignal, type StartedProcess } from '../process.ts';

/** All processes of one command. */
export type Tree = {
  /** The host pid of its topmost process: the first of its pid namespace, or the sandbox init. */
  readonly root: Promise<number | null>;
  readonly setRoot: (pid: number) => void;
  /** Sends TERM to every process. */
  readonly terminate: () => void;
  readonly kill: () => void;
  /** Resolves when no process of the tree is alive. Call it after the process we started has ended. */
  readonly dead: () => Promise<void>;
};

export function createTree(options: {
  readonly started: StartedProcess;
  /** Finds this command's processes by their environment; null if a confinement holds them together. */
  readonly strayCommandId: string | null;
  /** Called with each kill, to reach processes that signals don't. */
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

  /** Without a pid namespace a process may leave the tree; its environment still identifies it. */
  function strays(): number[] {
    return strayCommandId === null ? [] : processesOfCommand(strayCommandId);
  }

  function all(): number[] {
    const inTree = root === null ? [] : treeOf(root);
    return [...new Set([...inTree, ...strays()])];
  }

  /** The root normally dies with bubblewrap; this covers the case that it doesn't. */
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
      // The first process of a pid namespace takes all others with it, and dies with bubblewrap.
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
 * The kernel takes some milliseconds to kill a pid namespace and notifies only its parent, which is gone. So it is
 * polled, each time after a quarter of the time waited so far: the command is over otherwise.
 */
export async function outlive(isLiving: () => boolean): Promise<void> {
  for (let waitedMs = 0; isLiving();) {
    const waitMs = Math.min(Math.max(1, Math.floor(waitedMs / 4)), 50);
    await pause(waitMs);
    waitedMs += waitMs;
  }
}
