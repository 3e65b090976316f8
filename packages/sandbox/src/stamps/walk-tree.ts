import { type BigIntStats, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '@signalbox/core';
import { kindOf } from '../overlay/file-stat.ts';
import { createTurns } from '../turns.ts';

/** Entries of one stamp. More take a second, and a tree of that size changes all the time. */
export const MAX_ENTRIES = 100_000;

/** An entry's state, and its ctime. */
export type StampedEntry = { readonly state: string; readonly ctimeNs: bigint };

export type WalkedTree = {
  /** By label: relative to the workspace, absolute outside it. */
  readonly entries: ReadonlyMap<string, StampedEntry>;
  /** Looks at an entry again; null when nothing is there. */
  readonly again: (label: string) => StampedEntry | null;
};

export type WalkOptions = {
  /** Absolute path with links resolved. */
  readonly workspace: string;
  /** Absolute paths of files and folders, and the levels of folders below them that count. */
  readonly roots: readonly { readonly at: string; readonly depth: number }[];
  /** Absolute paths that are left out with everything below. */
  readonly leftOut: ReadonlySet<string>;
  /** Whether links that lead out of the workspace count with what they lead to. */
  readonly followsOut: boolean;
  readonly maxEntries: number;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Reads the state of everything below some roots, in a fixed order.
 *
 * @returns null when that is too much, on another file system, or nothing that a stamp can describe: a pipe, a device
 */
export async function walkTree(options: WalkOptions): Promise<WalkedTree | null> {
  const { workspace, leftOut, followsOut, maxEntries, signal } = options;
  const entries = new Map<string, StampedEntry>();
  const roots = new Set(options.roots.map(({ at }) => at));
  const turn = createTurns();
  const devices = new Map<string, bigint>();
  const waiting = options.roots
    .map(({ at, depth }): Waiting => ({ at, label: labelOf(at), root: at, depth }))
    .toReversed();

  function labelOf(at: string): string {
    if (at === workspace) return '.';
    return isWithin(at, workspace) ? at.slice(workspace.length + 1) : at;
  }

  function stamped(at: string, stats: BigIntStats): StampedEntry {
    const { ctimeNs } = stats;
    if (!stats.isSymbolicLink()) return { state: stateOf(stats), ctimeNs };
    const target = readlinkSync(at);
    const state = `${stateOf(stats)},${JSON.stringify(target)}`;
    // A file that is asked for by a link is read through it.
    const isFollowed = roots.has(at) || (followsOut && leadsOut(at, target) !== null);
    return { state: isFollowed ? `${state},${stateAt(at)}` : state, ctimeNs };
  }

  /** Where a link leads, if that may be outside the workspace: what is inside is walked by itself. */
  function leadsOut(at: string, target: string): string | null {
    const segments = target.split('/');
    // `a/../b` means another file when `a` is a link.
    const down = segments.findIndex((segment) => segment !== '..');
    const isPlain = !segments.slice(Math.max(down, 0)).includes('..');
    return isPlain && isWithin(resolve(dirname(at), target), workspace) ? null : at;
  }

  function statOf(at: string): BigIntStats | null {
    return lstatSync(at, { bigint: true, throwIfNoEntry: false }) ?? null;
  }

  /** False for what a stamp can't describe. */
  function enter({ at, label, root, depth }: Waiting, stats: BigIntStats): boolean {
    if (stats.isSymbolicLink()) {
      if (followsOut && leadsOut(at, readlinkSync(at)) !== null) followOut(at);
      return true;
    }
    if (stats.isFile() || depth === 0) return true;
    if (stats.isFIFO() || stats.isBlockDevice() || stats.isCharacterDevice()) return false;
    if (!stats.isDirectory()) return true;
    const device = devices.get(root) ?? stats.dev;
    devices.set(root, device);
    // What is mounted there may have other rules for times.
    if (device !== stats.dev) return false;
    const [above, within] = [`${at}/`, label === '.' ? '' : `${label}/`];
    for (const name of namesIn(at))
      waiting.push({ at: above + name, label: within + name, root, depth: depth - 1 });
    return true;
  }

  function followOut(at: string): void {
    const real = realOf(at);
    // A single file is part of the link's own state.
    if (real === null || isWithin(real, workspace) || !isFolder(real)) return;
    waiting.push({ at: real, label: real, root: real, depth: Infinity });
  }

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, label, root } = next;
    if (leftOut.has(at) || entries.has(label)) continue;
    if (signal?.aborted === true || entries.size >= maxEntries) return null;
    const stats = statOf(at);
    if (stats === null) {
      // It vanished since its folder was read, or a root is absent.
      if (at !== root) return null;
      entries.set(label, ABSENT);
      continue;
    }
    entries.set(label, stamped(at, stats));
    if (!enter(next, stats)) return null;
    await turn();
  }

  const pathOf = (label: string): string => (label.startsWith('/') ? label : join(workspace, label));
  return {
    entries,
    again(label) {
      const stats = statOf(pathOf(label));
      return stats === null ? null : stamped(pathOf(label), stats);
    },
  };
}

type Waiting = {
  readonly at: string;
  readonly label: string;
  /** The root that it is below. */
  readonly root: string;
  readonly depth: number;
};

const ABSENT: StampedEntry = { state: 'absent', ctimeNs: 0n };

/** `file,420,1000,1000,2049,131 12,1700000000000000000,1700000000000000000`: see `TreeStamp.states`. */
function stateOf(stats: BigIntStats): string {
  const mode = Number(stats.mode) & 0o7777;
  const { uid, gid, dev, ino, size, mtimeNs, ctimeNs } = stats;
  return `${kindOf(stats)},${mode},${uid},${gid},${dev},${ino} ${size},${mtimeNs},${ctimeNs}`;
}

/** The state of what a path leads to, links followed. */
export function stateAt(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? 'absent' : stateOf(stats).replace(' ', ',');
  } catch {
    return 'unreachable';
  }
}

/** Sorted, so that equal trees give equal stamps; a folder that we can't read is none that a command can read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted().toReversed();
  } catch {
    return [];
  }
}

function realOf(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
