import { lstatSync } from 'node:fs';
import type { Clock } from '@signalbox/core';
import type { SandboxInit } from './init-process.ts';

type Argv = readonly [string, ...string[]];

/** Sandbox inits started in advance, since that is most of a command's start time. */
export type Standby = {
  /** Returns a standby with exactly these arguments on an unchanged machine, or a new init. */
  readonly take: (argv: Argv) => SandboxInit;
  /** Prepares a standby for the next command of this kind, or as many as came at once recently. */
  readonly prepare: (argv: Argv) => void;
  /** Starts no more standbys. Existing ones are ended by the starter. */
  readonly close: () => void;
};

type Waiting = { readonly init: SandboxInit; readonly machine: string };

/** Commands with the same arguments. */
type Kind = {
  readonly waiting: Waiting[];
  /** When each of the recent ones was taken. */
  takenAt: readonly number[];
  /** The most taken within {@link AT_ONCE_MS}, and when. */
  burst: { readonly size: number; readonly at: number };
  isStarting: boolean;
  /** Consecutive starts that failed. */
  failures: number;
};

/** Commands within this time count as simultaneous. */
const AT_ONCE_MS = 100;
/** How long the size of a burst is remembered. */
const REMEMBERED_MS = 60_000;
/** Restarts after failures: a path to mask may have been removed at that moment. */
const MAX_FAILURES = 3;

/**
 * Keeps standbys of at most `kinds` kinds; the least recently wanted kind is dropped first.
 *
 * A mask covers the file that was at its path when it was mounted; replacing that file removes the mask. So a
 * standby is only used while every path in its arguments is still the same file.
 */
export function createStandby(options: {
  /** Upper bound on kinds; 0 turns standbys off. */
  readonly kinds: number;
  /** Upper bound on standbys of one kind. */
  readonly max: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly start: (argv: Argv) => SandboxInit;
}): Standby {
  const { max, clock, start } = options;
  const kinds = new Map<string, Kind>();
  let isClosed = false;

  /** Returns the kind and marks it as the most recently wanted. */
  function kindOf(argv: Argv): Kind {
    const key = argv.join('\0');
    const kind = kinds.get(key) ?? {
      waiting: [],
      takenAt: [],
      burst: { size: 1, at: 0 },
      isStarting: false,
      failures: 0,
    };
    kinds.delete(key);
    kinds.set(key, kind);
    return kind;
  }

  function countTaken(kind: Kind): void {
    const now = clock.monotonic();
    kind.takenAt = [...kind.takenAt.filter((at) => now - at < AT_ONCE_MS), now].slice(-max);
    const { length } = kind.takenAt;
    const isForgotten = now - kind.burst.at > REMEMBERED_MS;
    if (isForgotten || length >= kind.burst.size) kind.burst = { size: length, at: now };
  }

  /** A failure is ignored: the next command starts its own init and reports the error. */
  function startIfPossible(argv: Argv): SandboxInit | null {
    try {
      return start(argv);
    } catch {
      return null;
    }
  }

  /** One at a time, so that none delays a command for long. */
  function fill(argv: Argv, kind: Kind): void {
    for (const { init } of kind.waiting.splice(kind.burst.size)) letGo(init);
    if (kind.isStarting || kind.waiting.length >= kind.burst.size || !isKept(kind)) return;
    const machine = machineAt(argv);
    const init = startIfPossible(argv);
    if (init === null) return;
    const one = { init, machine };
    kind.waiting.push(one);
    kind.isStarting = true;
    const onSettled = (isReady: boolean): void => {
      kind.isStarting = false;
      kind.failures = isReady ? 0 : kind.failures + 1;
      if (!isReady) forget(kind, one);
      // A ready standby ends with us. One that isn't ready would be left behind, so our process waits for it.
      else if (kind.waiting.includes(one)) init.hold(false);
      if (kind.failures < MAX_FAILURES) fill(argv, kind);
    };
    init.waiting.then(
      (root) => onSettled(root !== null),
      () => onSettled(false),
    );
  }

  /** Ignored if a command has taken it, which reports the failure itself. */
  function forget(kind: Kind, one: Waiting): void {
    const index = kind.waiting.indexOf(one);
    if (index < 0) return;
    kind.waiting.splice(index, 1);
    letGo(one.init);
  }

  function isKept(kind: Kind): boolean {
    return !isClosed && [...kinds.values()].includes(kind);
  }

  return {
    take(argv) {
      if (options.kinds === 0) return start(argv);
      const kind = kindOf(argv);
      countTaken(kind);
      const machine = kind.waiting.length === 0 ? '' : machineAt(argv);
      for (let found = kind.waiting.shift(); found !== undefined; found = kind.waiting.shift()) {
        if (found.machine === machine && !found.init.hasEnded()) {
          found.init.hold(true);
          return found.init;
        }
        letGo(found.init);
      }
      return start(argv);
    },
    prepare(argv) {
      if (options.kinds === 0) return;
      fill(argv, kindOf(argv));
      const [oldest] = kinds;
      if (kinds.size <= options.kinds || oldest === undefined) return;
      kinds.delete(oldest[0]);
      for (const { init } of oldest[1].waiting.splice(0)) letGo(init);
    },
    close() {
      isClosed = true;
    },
  };
}

/** Ends a standby once it is ready. Killed earlier, it could leave an untracked process behind. */
function letGo(init: SandboxInit): void {
  const kill = (): void => init.tree.kill();
  void init.waiting.then(kill, kill);
  void init.process.ended.then(() => init.group()?.remove());
}

/** Identifies the files at the paths of the arguments. */
function machineAt(argv: readonly string[]): string {
  const paths = new Set(argv.filter((argument) => argument.startsWith('/')));
  return [...paths].map(fileAt).join(' ');
}

function fileAt(path: string): string {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? '-' : `${stats.dev}:${stats.ino}`;
  } catch {
    return '?';
  }
}
