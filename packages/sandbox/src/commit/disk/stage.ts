import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fchmodSync,
  fchownSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ContentHash, InvariantError } from '@signalbox/core';
import type { WriteSetChange, TextSource } from '../../overlay/write-set.ts';
import { createTurns } from '../../turns.ts';
import { carryAttributes, replacesFile } from './attributes.ts';
import { sharedBy } from './hard-links.ts';
import { secondsOf, stagedOf } from './swap.ts';
import { MANY, syncFileSystem } from './sync-file-system.ts';

export type Staged = { readonly index: number; readonly ino: string; readonly hash: ContentHash };
type Put = Extract<WriteSetChange, { op: 'put' }>;

/** Large files copied at the same time; most of the time is waiting for the disk. */
const AT_ONCE = 8;
/** Smaller files are copied synchronously, one per turn: handing them to another thread takes longer. */
const SMALL_BYTES = 256 * 1024;
const PIECE_BYTES = 1024 ** 2;

/** Copies a command's files onto the workspace's file system. {@link syncStaged} makes them durable. */
export async function stageFiles(
  folder: string,
  workspace: string,
  { puts }: Readonly<{ puts: readonly Put[] }>,
): Promise<Map<string, Staged>> {
  for (const name of ['stage', 'originals']) mkdirSync(join(folder, name), { mode: 0o700 });
  const carried = [...puts.entries()].filter(([, put]) => replacesFile(put));
  // Runs in another process while the other files are staged.
  const carrying = carryAttributes(folder, workspace, { carried });
  // Avoids an unhandled rejection: it is awaited only after the other files are staged.
  carrying.catch(() => undefined);
  try {
    const others = [...puts.entries()].filter(([, put]) => !replacesFile(put));
    return await stageAll(folder, [...others, ...carried], carrying);
  } finally {
    // From here on nothing more is created in the folder.
    await Promise.allSettled([carrying]);
  }
}

/** @param carrying settles when the files that replace others can be staged */
async function stageAll(
  folder: string,
  puts: readonly (readonly [index: number, put: Put])[],
  carrying: Promise<void>,
): Promise<Map<string, Staged>> {
  const staged = new Map<string, Staged>();
  const first = new Map<string, Put>();
  const further: { readonly index: number; readonly put: Put; readonly of: Put }[] = [];
  const waiting = puts.values();
  const turn = createTurns(1);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, put] of waiting) {
        const shared = sharedBy(put);
        const of = shared === null ? undefined : first.get(shared);
        if (shared !== null && of === undefined) first.set(shared, put);
        if (replacesFile(put)) await carrying;
        if (of === undefined)
          staged.set(put.path, { index, ...(await stageOne(put, stagedOf(folder, index))) });
        else further.push({ index, put, of });
        await turn();
      }
    }),
  );
  for (const { index, put, of } of further) {
    const one = staged.get(of.path);
    if (one === undefined) throw new InvariantError('Cannot stage a further name: its file is not staged');
    // For a replaced file, `carryAttributes` created an empty one here.
    rmSync(stagedOf(folder, index), { force: true });
    linkSync(stagedOf(folder, one.index), stagedOf(folder, index));
    staged.set(put.path, { ...one, index });
    await turn();
  }
  return staged;
}

/** Waits until every staged file is on disk. */
export async function syncStaged(folder: string, staged: ReadonlyMap<string, Staged>): Promise<void> {
  if (staged.size > MANY && (await syncFileSystem(folder))) return;
  await Promise.all([...staged.values()].map(({ index }) => syncFile(stagedOf(folder, index))));
}

type Content = Pick<Staged, 'ino' | 'hash'>;

function stageOne(put: Put, to: string): Content | Promise<Content> {
  if (put.kind === 'link') return stageLink(put, to);
  const { source, bytes } = put;
  if (typeof source !== 'string') return stageSmall(put, to, Buffer.from(source.text));
  return bytes < SMALL_BYTES ? stageSmall(put, to, readFileSync(source)) : stageLarge(put, { source, to });
}

function stageLink({ source }: Put, to: string): Content {
  if (typeof source !== 'string') throw new InvariantError('Cannot stage a link: it has no source');
  const target = readlinkSync(source);
  symlinkSync(target, to);
  const { ino } = lstatSync(to, { bigint: true });
  return { ino: ino.toString(), hash: toHash(createHash('sha256').update(target)) };
}

function stageSmall(put: Put, to: string, content: Buffer): Content {
  const file = openSync(to, 'w', 0o600);
  try {
    writeFileSync(file, content);
    return { ino: adopt(file, put), hash: toHash(createHash('sha256').update(content)) };
  } finally {
    closeSync(file);
  }
}

async function stageLarge(
  put: Put,
  { source, to }: Readonly<{ source: string; to: string }>,
): Promise<Content> {
  const { size, blocks } = lstatSync(source);
  if (blocks * BLOCK_BYTES < size) await copySparse(source, to);
  else await copyFile(source, to);
  const hash = await hashOfFile(to);
  const file = openSync(to, 'r+');
  try {
    return { ino: adopt(file, put), hash };
  } finally {
    closeSync(file);
  }
}

/** Copies a file and keeps holes. Long runs of zeros become holes. */
async function copySparse(source: string, to: string): Promise<void> {
  const file = await open(to, 'w', 0o600);
  try {
    let position = 0;
    for await (const read of createReadStream(source, { highWaterMark: RUN_BYTES })) {
      const run = read as Buffer;
      if (!run.equals(ZEROS.subarray(0, run.length))) await file.write(run, 0, run.length, position);
      position += run.length;
    }
    await file.truncate(position);
  } finally {
    await file.close();
  }
}

/** The unit of `stat` blocks. */
const BLOCK_BYTES = 512;
const RUN_BYTES = 256 * 1024;
const ZEROS = Buffer.alloc(RUN_BYTES);

/** Sets owner, permissions and times of a copy and returns its inode. */
function adopt(file: number, { source, mode, mtimeNs }: Put): string {
  const own = fstatSync(file, { bigint: true });
  // Only root can write as another owner, and can set that owner here.
  const owner = process.getuid?.() === 0 ? ownerOf(source) : null;
  if (owner !== null && (Number(own.uid) !== owner.uid || Number(own.gid) !== owner.gid))
    fchownSync(file, owner.uid, owner.gid);
  // An unreadable file can't be opened later to sync it, so it is synced now.
  if (!isReadable(mode)) fdatasyncSync(file);
  fchmodSync(file, mode);
  if (mtimeNs !== null) futimesSync(file, secondsOf(mtimeNs), secondsOf(mtimeNs));
  return own.ino.toString();
}

function ownerOf(source: string | TextSource): TextSource['owner'] {
  return typeof source === 'string' ? lstatSync(source) : source.owner;
}

/** Whether its owner can read it. */
function isReadable(mode: number): boolean {
  return (mode & 0o400) !== 0;
}

/** A link has no content to sync. */
async function syncFile(path: string): Promise<void> {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink() || !isReadable(stats.mode)) return;
  const file = openSync(path, 'r');
  try {
    await datasync(file);
  } finally {
    closeSync(file);
  }
}

const datasync = promisify(fdatasync);

/** Hashes a file piece by piece. */
export async function hashOfFile(path: string): Promise<ContentHash> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: PIECE_BYTES }))
    hash.update(chunk as Buffer);
  return toHash(hash);
}

function toHash(hash: Hash): ContentHash {
  return ContentHash.parse(hash.digest('hex'));
}
