import { isUtf8 } from 'node:buffer';
import { type BigIntStats, chmodSync, lstatSync, opendirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTurns } from '../turns.ts';
import { createOrigins } from './origins.ts';
import type { Overlay } from './overlay.ts';
import { sameContent } from './same-content.ts';
import { kindOf, statAt, type ExistingEntry, statsOf } from './file-stat.ts';

/** Size up to which the names of a folder are read at once: about 500 names. */
const SMALL_BYTES = 16 * 1024;
/** Names between two turns. */
const STEPS = 256;

/** Content of a file that is not on disk yet; `owner` is its future owner, null for us. */
export type TextSource = {
  readonly text: string;
  readonly owner: { readonly uid: number; readonly gid: number } | null;
};

/** One step from the current workspace to what the command left. Paths are relative to the workspace. */
export type WriteSetChange =
  /** For a directory, the whole tree. */
  | { readonly op: 'remove'; readonly path: string; readonly existing: ExistingEntry }
  | { readonly op: 'make'; readonly path: string; readonly mode: number }
  | {
      readonly op: 'put';
      readonly path: string;
      readonly kind: 'file' | 'link';
      /** Its content, or a path to read it from. */
      readonly source: string | TextSource;
      readonly mode: number;
      readonly bytes: number;
      /** Null for the current time. */
      readonly mtimeNs: bigint | null;
      /** The entry it replaces; null also if a `remove` precedes it. */
      readonly existing: ExistingEntry | null;
    }
  /** Unchanged content with other permissions or times. */
  | {
      readonly op: 'attributes';
      readonly path: string;
      readonly mode: number;
      /** Null for a directory. */
      readonly mtimeNs: bigint | null;
      readonly existing: ExistingEntry;
    }
  /** The command wrote to or moved a file whose inode the workspace no longer has: others removed it. */
  | { readonly op: 'gone'; readonly path: string }
  /** Entries that are never committed: a FIFO, a socket, a device, a name that is not UTF-8. */
  | { readonly op: 'special'; readonly path: string; readonly why: string };

const NO_FILE = 'a FIFO, a socket or a device';
const NO_TEXT = 'its name is no UTF-8';
const TOO_LONG = 'its path is too long';

/** `PATH_MAX` of `include/uapi/linux/limits.h`, less the prefix where it is staged. */
const MAX_PATH_BYTES = 4096 - 256;
/** Characters of a long path in a message. */
const SHOWN = 100;

/** Excludes setuid and setgid. */
const KEPT_MODE = 0o1777;

/**
 * Reads what a command changed, in an order that can be applied: a directory before its contents, a removal
 * before its replacement. A rename is a removal and an addition.
 *
 * Reads only the layers, without extended attributes. A device 0:0 in the upper layer is a deletion; so is an
 * entry of the lower layer that is in neither the upper nor the merged tree (a recreated directory). The
 * contents of a new directory are read from the merged tree, since a renamed directory shows there its lower
 * contents from elsewhere.
 *
 * Yields to the event loop: the command is dead and its layers are held, so nothing changes meanwhile.
 */
export async function readWriteSet(workspace: string, overlay: Overlay): Promise<WriteSetChange[]> {
  const { upper, merged, since } = overlay;
  const changes: WriteSetChange[] = [];
  const turn = createTurns();
  const origins = createOrigins({ workspace, upper, merged });
  const longest = MAX_PATH_BYTES - Buffer.byteLength(workspace);
  /** Existing directories that may show the names of another one, since one was moved or removed. */
  const uncertain: string[] = [];
  /** Removed or renamed by others meanwhile. */
  const removedTwice: string[] = [];

  /** @param names What the command's own layer has there. */
  async function walk(folder: string, names: readonly string[]): Promise<void> {
    for (const name of textNamesOf(upper, folder, { all: names })) {
      await turn();
      await look(below(folder, name));
    }
  }

  async function look(path: string): Promise<void> {
    const above = statsOf(join(upper, path));
    if (above === null) return;
    const existing = existingAt(path);
    if (isWhiteout(above)) {
      if (existing === null) removedTwice.push(path);
      else changes.push({ op: 'remove', path, existing });
    } else {
      await examineStats(path, above, { existing, source: join(upper, path) });
    }
  }

  function existingAt(path: string): ExistingEntry | null {
    const existing = statAt(join(workspace, path));
    origins.saw(existing);
    return existing;
  }

  /** Names that we can't represent are rejected, since their content would be lost. */
  function textNamesOf(
    layer: string,
    folder: string,
    { all }: Readonly<{ all: readonly string[] }>,
  ): readonly string[] {
    const names = utf8NamesOf(layer, folder, { names: all });
    const fit = names.filter((name) => Buffer.byteLength(below(folder, name)) <= longest);
    const isTooLong = fit.length < names.length;
    if (isTooLong) changes.push({ op: 'special', path: `${folder.slice(0, SHOWN)}…`, why: TOO_LONG });
    return fit.toSorted();
  }

  function utf8NamesOf(
    layer: string,
    folder: string,
    { names }: Readonly<{ names: readonly string[] }>,
  ): readonly string[] {
    if (!names.some((name) => name.includes('\ufffd'))) return names;
    const asBytes = readdirSync(join(layer, folder), { encoding: 'buffer' });
    for (const name of asBytes.filter((bytes) => !isUtf8(bytes))) {
      changes.push({ op: 'special', path: below(folder, String(name)), why: NO_TEXT });
    }
    return asBytes.filter((bytes) => isUtf8(bytes)).map(String);
  }

  type Where = {
    readonly existing: ExistingEntry | null;
    readonly source: string;
    /** The outermost folder above it that the workspace lacks. */
    readonly madeFolder?: string;
  };

  async function examineStats(path: string, stats: BigIntStats, where: Where): Promise<void> {
    const kind = kindOf(stats);
    if (kind === 'directory') return walkMerged(path, stats, where);
    if (kind !== 'special') return examine(path, kind, { above: stats, where });
    if (where.existing?.kind !== 'special') changes.push({ op: 'special', path, why: NO_FILE });
  }

  async function walkMerged(
    path: string,
    above: BigIntStats,
    { existing, madeFolder = path }: Where,
  ): Promise<void> {
    makeReadable(path, 0o700, above);
    const mode = modeOf(above);
    if (existing?.kind === 'directory') {
      if (mode !== existing.mode) {
        changes.push({ op: 'attributes', path, mode, mtimeNs: null, existing });
      }
      uncertain.push(path);
      const own = await namesIn(join(upper, path));
      await findRemoved(path, own);
      return walk(path, own);
    }
    if (existing !== null) changes.push({ op: 'remove', path, existing });
    changes.push({ op: 'make', path, mode });
    await walkNew(path, madeFolder);
  }

  /** A new directory hides all of the lower layer. */
  async function walkNew(folder: string, madeFolder: string): Promise<void> {
    for (const name of textNamesOf(merged, folder, { all: await namesOfBoth(folder) })) {
      await turn();
      const path = below(folder, name);
      const stats = statsOf(join(merged, path));
      const where = { existing: null, source: join(merged, path), madeFolder };
      if (stats !== null) await examineStats(path, stats, where);
    }
  }

  /** A directory that took the name of another shows what it brought along: other files under the same names. */
  async function findBrought(folder: string): Promise<void> {
    const seen = new Set(await namesIn(join(upper, folder)));
    for (const name of (await namesOfBoth(folder)).toSorted()) {
      await turn();
      if (!seen.has(name)) await compare(below(folder, name));
    }
  }

  async function compare(path: string): Promise<void> {
    const stats = statsOf(join(merged, path));
    if (stats === null) return;
    const existing = existingAt(path);
    if (!stats.isDirectory() || existing?.kind !== 'directory') {
      const where = { existing, source: join(merged, path) };
      return stats.ino === existing?.ino ? undefined : examineStats(path, stats, where);
    }
    const mode = modeOf(stats);
    if (mode !== existing.mode) changes.push({ op: 'attributes', path, mode, mtimeNs: null, existing });
    await findRemoved(path, await namesAt(join(upper, path)));
    for (const name of (await namesOfBoth(path)).toSorted()) {
      await turn();
      await compare(below(path, name));
    }
  }

  /** Names of both layers together, which may be more than the size of the upper folder suggests. */
  function namesOfBoth(folder: string): Promise<string[]> {
    return namesIn(join(merged, folder), Infinity);
  }

  async function findRemoved(path: string, own: readonly string[]): Promise<void> {
    const host = lstatSync(join(workspace, path), { bigint: true });
    // Created by others meanwhile, so the command can't have deleted anything in it.
    if (host.birthtimeNs >= since) return;
    // Read first: names that others create meanwhile must not look removed.
    const names = await namesIn(join(workspace, path), Number(host.size));
    const both = await namesIn(join(merged, path), Number(host.size));
    const seen = new Set([...both, ...own]);
    for (const name of names.toSorted()) {
      const existing = seen.has(name) ? null : existingAt(`${path}/${name}`);
      if (existing !== null) changes.push({ op: 'remove', path: `${path}/${name}`, existing });
      await turn();
    }
  }

  async function examine(
    path: string,
    kind: 'file' | 'link',
    { above, where: { existing, source, madeFolder } }: Readonly<{ above: BigIntStats; where: Where }>,
  ): Promise<void> {
    if (kind === 'file') makeReadable(path, 0o600, above);
    const [mode, mtimeNs] = [modeOf(above), above.mtimeNs];
    const isAlike = existing?.kind === kind && existing.bytes === Number(above.size);
    const layers = { layer: source, workspace: join(workspace, path) };
    const same = isAlike ? await sameContent(kind, layers, turn) : null;
    // A file changed since may have been changed to the same content: if both increment a counter, one
    // increment would be lost.
    if (same !== null && same.ctimeNs < since) {
      const isTouched = mode !== same.mode || mtimeNs !== same.mtimeNs;
      if (kind === 'file' && isTouched)
        changes.push({ op: 'attributes', path, mode, mtimeNs, existing: same });
      return;
    }
    if (existing === null || existing.ctimeNs < since) origins.examine(path, madeFolder);
    const isReplaced = existing?.kind === 'directory';
    if (existing !== null && isReplaced) changes.push({ op: 'remove', path, existing });
    const bytes = Number(above.size);
    changes.push({
      op: 'put',
      path,
      kind,
      source,
      mode,
      bytes,
      mtimeNs,
      existing: isReplaced ? null : existing,
    });
  }

  /**
   * Restores our own permissions, which the command may have removed. The layer is ours, and the real mode has
   * been read. It is changed through the merged tree, since the overlay caches modes.
   */
  function makeReadable(path: string, needed: number, { mode }: BigIntStats): void {
    if ((Number(mode) & needed) !== needed) chmodSync(join(merged, path), (Number(mode) & 0o7777) | needed);
  }

  await walk('', await namesIn(upper));
  // Only root's overlay moves directories, and only a directory that is gone from its place can have been moved.
  const isGone = changes.some((change) => change.op === 'remove' && change.existing.kind === 'directory');
  if (isGone && process.getuid?.() === 0) for (const folder of uncertain) await findBrought(folder);
  const removed = changes.filter((change) => change.op === 'remove' && change.existing.kind === 'directory');
  const gone = await origins.gone(
    removed.map(({ path }) => path),
    turn,
  );
  // An entry removed from a directory that replaced another never existed under that name.
  if (!isGone) gone.push(...removedTwice);
  return [...changes, ...gone.map((path): WriteSetChange => ({ op: 'gone', path }))];
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** None when there is no such directory. */
async function namesAt(folder: string): Promise<string[]> {
  return statsOf(folder) === null ? [] : namesIn(folder);
}

function isWhiteout(stats: BigIntStats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0n;
}

function modeOf(stats: BigIntStats): number {
  return Number(stats.mode) & KEPT_MODE;
}

/**
 * Names in a folder. Yields while it reads a large one: 100,000 names take a tenth of a second.
 *
 * @param bytes Size of the folder. Default: its own; a merged folder reports only that of its upper layer.
 */
async function namesIn(folder: string, bytes = statSync(folder).size): Promise<string[]> {
  // Much cheaper than a directory handle, where each step is a call.
  if (bytes <= SMALL_BYTES) return readdirSync(folder);
  const names: string[] = [];
  const turn = createTurns(1);
  const open = opendirSync(folder, { bufferSize: STEPS });
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      names.push(entry.name);
      if (names.length % STEPS === 0) await turn();
    }
  } finally {
    open.closeSync();
  }
  return names;
}
