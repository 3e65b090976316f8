import { createHash } from 'node:crypto';
import { lstatSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stamps, StampScope, TreeStamp } from '@signalbox/core';
import { ownAccount } from '../account.ts';
import { hashOfFile } from '../commit/disk/stage.ts';
import { ignoredByGit } from '../inspect/ignored-by-git.ts';
import { surroundingsOf } from './surroundings.ts';
import { MAX_ENTRIES, type StampedEntry, type WalkedTree, walkTree } from './walk-tree.ts';

/** The kernel's clock for file times lags behind ours by at most a tick: 10 ms at `CONFIG_HZ=100`. */
const LAG_MS = 20;
const MAX_TRIES = 3;
const MAX_WAIT_MS = 200;
const NS_PER_MS = 1_000_000n;

/**
 * File systems of this machine that set the ctime of every change by its own clock (`linux/magic.h`): ext2 to ext4, XFS,
 * Btrfs, tmpfs, overlayfs, F2FS, ZFS, bcachefs. Those of a network report changes by other machines late.
 */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

export type StampsOptions = {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** Our own state, which no command sees. */
  readonly stateFolder: string;
  readonly home: string;
  /** Folders of programs, separated by `:`. */
  readonly path: string;
};

/** Stamps of a workspace on a file system of this machine; null for any other. */
export function createStamps(options: StampsOptions): Stamps {
  const { workspace, stateFolder, home } = options;
  const repository = { workspace, path: options.path, scratch: join(stateFolder, 'previews') };
  const leftOut = new Set([stateFolder]);
  const homes = [...new Set([home, ownAccount().home ?? home])].filter((one) => one !== '/');

  async function walk(scope: StampScope, signal: AbortSignal | undefined): Promise<WalkedTree | null> {
    const { paths, surroundings, maxEntries = MAX_ENTRIES } = scope;
    const shown = (surroundings?.readableHome ?? []).flatMap(
      (path) => /^(?:~|\$HOME)\/(.+)$/.exec(path)?.[1] ?? [],
    );
    const roots = [
      ...paths.map(({ path, depth }) => ({ at: resolve(workspace, path), depth: depth ?? Infinity })),
      ...homes.flatMap((one) => shown.map((path) => ({ at: join(one, path), depth: Infinity }))),
    ];
    return walkTree({
      workspace,
      roots,
      leftOut,
      followsOut: surroundings !== undefined,
      maxEntries,
      signal,
    });
  }

  async function settled(scope: StampScope, signal: AbortSignal | undefined): Promise<WalkedTree | null> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const startedAt = Date.now();
      const walked = await walk(scope, signal);
      if (walked === null) return null;
      const recent = recentIn(walked, startedAt);
      if (recent.length === 0) return walked;
      const newestMs = Math.max(...recent.map(([, { ctimeNs }]) => Number(ctimeNs / NS_PER_MS)));
      const waitMs = newestMs - Date.now() + LAG_MS + 1;
      // Someone has set the clock back.
      if (waitMs > MAX_WAIT_MS) return null;
      await sleep(Math.max(waitMs, 0));
      // Unchanged a tick later: from now on a change gets a later time.
      if (recent.every(([label, { state }]) => walked.again(label)?.state === state)) return walked;
    }
    return null;
  }

  async function unlessRecent(
    scope: StampScope,
    signal: AbortSignal | undefined,
  ): Promise<WalkedTree | null> {
    const startedAt = Date.now();
    const walked = await walk(scope, signal);
    return walked === null || recentIn(walked, startedAt).length > 0 ? null : walked;
  }

  const taking = { wait: settled, refuse: unlessRecent, accept: walk };

  return {
    async take(scope, { recent, signal }) {
      if (!isLocal(workspace)) return null;
      try {
        const around = aroundOf(scope);
        const walked = around === null ? null : await taking[recent](scope, signal);
        return walked === null || around === null ? null : stampOf(walked, around);
      } catch {
        // It changed while it was read.
        return null;
      }
    },
    ignored: (gone) => ignoredByGit(gone, repository),
    async hashOf(path) {
      const at = join(workspace, path);
      try {
        return lstatSync(at).isFile() ? await hashOfFile(at) : null;
      } catch {
        return null;
      }
    },
  };

  function aroundOf({ paths, surroundings }: StampScope): ReadonlyMap<string, string> | null {
    const git = lstatSync(join(workspace, '.git'), { throwIfNoEntry: false });
    // The repository of a linked work tree, or of a folder in one, is elsewhere.
    const readsGit = paths.some(({ path }) => path === '.' || path.startsWith('.git'));
    if (readsGit && (git === undefined ? isInRepository(workspace) : !git.isDirectory())) return null;
    if (surroundings === undefined) return new Map();
    return surroundingsOf({ workspace, homes, path: surroundings.path ?? options.path });
  }
}

/** Entries whose next change might get the same time. */
function recentIn(
  { entries }: WalkedTree,
  startedAtMs: number,
): readonly (readonly [string, StampedEntry])[] {
  const since = BigInt(startedAtMs - LAG_MS) * NS_PER_MS;
  return [...entries].filter(([, { ctimeNs }]) => ctimeNs >= since);
}

function stampOf({ entries }: WalkedTree, around: ReadonlyMap<string, string>): TreeStamp {
  const hash = createHash('sha256');
  const states = new Map<string, string>();
  for (const [label, { state }] of entries) states.set(label, state);
  for (const [label, state] of around) states.set(`around:${label}`, state);
  for (const [label, state] of states) hash.update(`${label}\0${state}\0`);
  return { digest: hash.digest('hex'), states };
}

/** Whether git would find a repository in a folder above. */
function isInRepository(workspace: string): boolean {
  for (let folder = dirname(workspace); ; folder = dirname(folder)) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return true;
    if (folder === dirname(folder)) return false;
  }
}

function isLocal(workspace: string): boolean {
  try {
    return process.platform === 'linux' && LOCAL.has(statfsSync(workspace).type);
  } catch {
    return false;
  }
}
