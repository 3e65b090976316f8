import { lstatSync } from 'node:fs';
import type { Keeper } from './keeper-process.ts';

type Argv = readonly [string, ...string[]];

/** Keepers that were started before their command came, since that is most of what a start takes. */
export type Standby = {
  /** One that waits behind exactly these arguments on an unchanged machine, or a new one. */
  readonly take: (argv: Argv) => Keeper;
  /** Has one wait for the next command of this kind. */
  readonly prepare: (argv: Argv) => void;
};

type Waiting = { readonly keeper: Keeper; readonly machine: string };

/**
 * Keeps at most `size` keepers waiting, the oldest of which goes first.
 *
 * A mount hides what stood at its path when it was made; who puts another file there takes the mask away. So
 * a keeper is only used while each path of its arguments is still the very file that it was.
 */
export function createStandby(options: {
  /** Upper bound; 0 turns it off. */
  readonly size: number;
  readonly start: (argv: Argv) => Keeper;
}): Standby {
  const { size, start } = options;
  const waiting = new Map<string, Waiting>();

  function remove(key: string): Waiting | undefined {
    const found = waiting.get(key);
    waiting.delete(key);
    return found;
  }

  /** Its own failure is the next command's, who will start one and say why it can't be. */
  function startIfPossible(argv: Argv): Keeper | null {
    try {
      return start(argv);
    } catch {
      return null;
    }
  }

  return {
    take(argv) {
      const found = remove(argv.join('\0'));
      if (found === undefined) return start(argv);
      if (found.machine !== machineAt(argv) || found.keeper.hasEnded()) {
        letGo(found.keeper);
        return start(argv);
      }
      found.keeper.hold(true);
      return found.keeper;
    },
    prepare(argv) {
      const key = argv.join('\0');
      if (size === 0 || waiting.has(key)) return;
      const machine = machineAt(argv);
      const keeper = startIfPossible(argv);
      if (keeper === null) return;
      waiting.set(key, { keeper, machine });
      // Our end takes along what is ready; what is not yet would stay behind. So we stay that long.
      const release = (): void => {
        if (waiting.get(key)?.keeper === keeper) keeper.hold(false);
      };
      keeper.waiting.then(release, release);
      const [oldest] = waiting.keys();
      if (waiting.size > size && oldest !== undefined) letGo(remove(oldest)?.keeper);
    },
  };
}

/** Killed before it is ready, it could leave a process behind that nobody knows of. */
function letGo(keeper: Keeper | undefined): void {
  const kill = (): void => keeper?.tree.kill();
  void keeper?.waiting.then(kill, kill);
  void keeper?.process.ended.then(() => keeper.group()?.remove());
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
