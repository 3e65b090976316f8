import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { ContentHash, InvariantError } from '@signalbox/core';
import type { Change, TextSource } from '../overlay/write-set.ts';
import { secondsOf, stagedOf } from './swap.ts';
import { MANY, syncFileSystem } from './sync-file-system.ts';

export type Staged = { readonly index: number; readonly ino: string; readonly hash: ContentHash };
type Put = Extract<Change, { op: 'put' }>;

/** Copies that run at the same time: waiting for the disk is what takes long. */
const AT_ONCE = 8;
/** Smaller files are read once, for their hash and their copy. */
const SMALL_BYTES = 1024 ** 2;

/** Brings what a command wrote onto the workspace's own file system, complete; on the disk by {@link syncStaged}. */
export async function stage(folder: string, puts: readonly Put[]): Promise<Map<string, Staged>> {
  for (const name of ['stage', 'originals'])
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  const staged = new Map<string, Staged>();
  const waiting = puts.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, put] of waiting) {
        const to = stagedOf(folder, index);
        const hash = put.kind === 'link' ? await stageLink(put, to) : await stageFile(put, to);
        const { ino } = await lstat(to, { bigint: true });
        staged.set(put.path, { index, ino: ino.toString(), hash });
      }
    }),
  );
  return staged;
}

/** Waits until every staged file is on the disk. */
export async function syncStaged(folder: string, staged: ReadonlyMap<string, Staged>): Promise<void> {
  if (staged.size > MANY && (await syncFileSystem(folder))) return;
  await Promise.all([...staged.values()].map(({ index }) => syncFile(stagedOf(folder, index))));
}

async function stageLink({ source }: Put, to: string): Promise<ContentHash> {
  if (typeof source !== 'string') throw new InvariantError('Cannot stage a link: it has no source');
  const target = await readlink(source);
  await symlink(target, to);
  return toHash(createHash('sha256').update(target));
}

async function stageFile({ source, bytes, mode, mtimeNs }: Put, to: string): Promise<ContentHash> {
  const hash = await copy(source, to, bytes);
  const handle = await open(to, 'r+');
  try {
    await adopt(handle, source);
    await handle.chmod(mode);
    if (mtimeNs !== null) await handle.utimes(secondsOf(mtimeNs), secondsOf(mtimeNs));
  } finally {
    await handle.close();
  }
  return hash;
}

function copy(source: string | TextSource, to: string, bytes: number): Promise<ContentHash> {
  if (typeof source !== 'string') return putSmall(source.text, to);
  return bytes < SMALL_BYTES ? copySmall(source, to) : copyLarge(source, to);
}

/** A link has no bytes of its own. */
async function syncFile(path: string): Promise<void> {
  if ((await lstat(path)).isSymbolicLink()) return;
  const handle = await open(path, 'r');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function copySmall(source: string, to: string): Promise<ContentHash> {
  return putSmall(await readFile(source), to);
}

async function putSmall(content: string | Buffer, to: string): Promise<ContentHash> {
  await writeFile(to, content, { flag: 'wx', mode: 0o600 });
  return toHash(createHash('sha256').update(content));
}

async function copyLarge(source: string, to: string): Promise<ContentHash> {
  await copyFile(source, to);
  return hashOfFile(to);
}

/** Reads it in pieces. */
export async function hashOfFile(path: string): Promise<ContentHash> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: SMALL_BYTES }))
    hash.update(chunk as Buffer);
  return toHash(hash);
}

function toHash(hash: Hash): ContentHash {
  return ContentHash.parse(hash.digest('hex'));
}

/** Only root can have written as another owner, and can give it back to them. */
async function adopt(to: FileHandle, source: string | TextSource): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = typeof source === 'string' ? await lstat(source) : source.owner;
  if (owner === null) return;
  const own = await to.stat();
  if (own.uid !== owner.uid || own.gid !== owner.gid) await to.chown(owner.uid, owner.gid);
}
