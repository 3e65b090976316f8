import { lstatSync } from 'node:fs';
import type { Clock } from '@signalbox/core';
import type { SandboxInit } from './init-process.ts';

type Argv = readonly [string, ...string[]];

/** Keepers that were started before their command came, since that is most of what a start takes. */
export type Standby = {
  /** One that waits behind exactly these arguments on an unchanged machine, or a new one. */
  readonly take: (argv: Argv) => SandboxInit;
  /** Has one wait for the next command of this kind, or as many as came at once a short while ago. */
  readonly prepare: (argv: Argv) => void;
  /** None is started any more; who started those that wait ends them. */
  readonly close: () => void;
};

type Waiting = { readonly init: SandboxInit; readonly machine: string };

/** Commands of the same arguments. */
type Kind = {
  readonly waiting: Waiting[];
  /** When each of the last was taken. */
  takenAt: readonly number[];
  /** The most that were taken within {@link AT_ONCE_MS}, and when that was. */
  burst: { readonly size: number; readonly at: number };
  isStarting: boolean;
  /** Started one after the other, and none of them came to wait. */
  failures: number;
};

/** Commands that come within this time come at once. */
const AT_ONCE_MS = 100;
/** As many are kept waiting as came at once within this time. */
const REMEMBERED_MS = 60_000;
/** So often one is started anew in place of one that failed: what it was to hide may have gone at that moment. */
const MOST_FAILURES = 3;

/**
 * Keeps keepers of at most `kinds` kinds waiting, of which the one that was wanted longest ago goes first.
 *
 * A mount hides what stood at its path when it was made; who puts another file there takes the mask away. So
 * a keeper is only used while each path of its arguments is still the very file that it was.
 */
export function createStandby(options: {
  /** Upper bound; 0 turns it off. */
  readonly kinds: number;
  /** The most of one kind. */
  readonly most: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly start: (argv: Argv) => SandboxInit;
}): Standby {
  const { most, clock, start } = options;
  const kinds = new Map<string, Kind>();
  let isClosed = false;

  /** As the one that was wanted last. */
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
    kind.takenAt = [...kind.takenAt.filter((at) => now - at < AT_ONCE_MS), now].slice(-most);
    const { length } = kind.takenAt;
    const isForgotten = now - kind.burst.at > REMEMBERED_MS;
    if (isForgotten || length >= kind.burst.size) kind.burst = { size: length, at: now };
  }

  /** Its own failure is the next command's, who will start one and say why it can't be. */
  function startIfPossible(argv: Argv): SandboxInit | null {
    try {
      return start(argv);
    } catch {
      return null;
    }
  }

  /** One after the other, so that none is in the way of a command for long. */
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
      // Our end takes along what is ready; what is not yet would stay behind. So we stay that long.
      else if (kind.waiting.includes(one)) init.hold(false);
      if (kind.failures < MOST_FAILURES) fill(argv, kind);
    };
    init.waiting.then(
      (root) => onSettled(root !== null),
      () => onSettled(false),
    );
  }

  /** Unless a command has it, which says itself what failed. */
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

/** Killed before it is ready, it could leave a process behind that nobody knows of. */
function letGo(init: SandboxInit): void {
  const kill = (): void => init.tree.kill();
  void init.waiting.then(kill, kill);
  void init.process.ended.then(() => init.group()?.remove());
}

/** Which files stand at the paths of the arguments. */
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
