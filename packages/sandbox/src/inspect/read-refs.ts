import { opendir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parsePackedRefs } from '../git/packed-refs.ts';
import { mayExist } from '../may-exist.ts';

/** Larger files are not read. */
const MAX_PACKED_BYTES = 8 * 1024 ** 2;
/** Upper bound on refs, and on entries of their folders. */
const MAX_REFS = 2000;
const MAX_LINKS = 5;
const NONE: ReadonlyMap<string, string> = new Map();
const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The refs of a repository, read from its files. No program runs, so nothing it configures does. */
export type RepositoryRefs = Readonly<{
  /** The branch of HEAD and its commit; null before the first commit. */
  head: Readonly<{ branch: string | null; commit: string | null }>;
  /** The commit of a ref such as `refs/heads/main`; undefined if missing. */
  find(name: string): Promise<string | undefined>;
  /**
   * False if the packed refs can't be read, or once a ref behind a link was found that leads or may lead out of
   * git's folder, whose contents must not be revealed.
   */
  isWhole: boolean;
  /** Whether there were more names than were read. Set while reading. */
  isCut: boolean;
  /** Names below `refs/remotes/origin/`, with their commits. */
  below(prefix: string): Promise<ReadonlyMap<string, string>>;
}>;

/** @param gitFolder The work tree's. @param common The repository's; differs in a linked work tree. */
export async function readRefs(gitFolder: string, common: string): Promise<RepositoryRefs> {
  const own = await realpath(gitFolder).catch(() => gitFolder);
  const shared = await realpath(common).catch(() => common);
  const roots = new Set([own, shared]);
  let isWhole = true;
  let isCut = false;

  /** The real path; null if missing or outside. */
  async function within(root: string, name: string): Promise<string | null> {
    const path = join(root, name);
    const real = await realpath(path).catch(() => null);
    if (real?.startsWith(`${root}/`) === true) return real;
    if (real !== null || (await mayExist(path))) isWhole = false;
    return null;
  }

  async function read(root: string, name: string): Promise<string | null> {
    const path = await within(root, name);
    return path === null ? null : readSmall(path);
  }

  async function resolve(text: string, links = 0): Promise<string | undefined> {
    const value = text.trim();
    if (OID.test(value)) return value;
    const name = /^ref: (refs\/[^\s]+)$/.exec(value)?.[1];
    return name === undefined || links >= MAX_LINKS ? undefined : find(name, links + 1);
  }

  async function find(name: string, links = 0): Promise<string | undefined> {
    if (!isSafeName(name)) return undefined;
    for (const root of roots) {
      const text = await read(root, name);
      if (text !== null) return resolve(text, links);
    }
    return packed?.get(name);
  }

  /** Follows no link. */
  async function looseNames(folder: string): Promise<readonly string[]> {
    const top = await within(shared, folder);
    if (top === null) return [];
    const names: string[] = [];
    const folders = [''];
    let entries = 0;
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      const opened = await opendir(join(top, at)).catch(() => []);
      for await (const entry of opened) {
        entries += 1;
        if (entries > MAX_REFS) {
          isCut = true;
          return names;
        }
        const name = `${at}${entry.name}`;
        if (entry.isSymbolicLink()) isWhole = false;
        if (entry.isDirectory()) folders.push(`${name}/`);
        if (entry.isFile()) names.push(name);
      }
    }
    return names;
  }

  for (const root of roots) await within(root, 'refs');
  const packedAt = await within(shared, 'packed-refs');
  const packed = packedAt === null ? NONE : await readPacked(packedAt);
  const head = (await read(own, 'HEAD'))?.trim() ?? '';
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? null;
  return {
    head: { branch, commit: (await resolve(head)) ?? null },
    get isWhole() {
      return isWhole && packed !== null;
    },
    get isCut() {
      return isCut;
    },
    find: (name) => find(name),
    async below(prefix) {
      const names = new Set([...(packed?.keys() ?? [])].filter((name) => name.startsWith(prefix)));
      for (const name of await looseNames(prefix)) names.add(`${prefix}${name}`);
      isCut ||= names.size > MAX_REFS;
      const found = new Map<string, string>();
      for (const name of [...names].slice(0, MAX_REFS)) {
        const commit = await find(name);
        if (commit !== undefined) found.set(name, commit);
      }
      return found;
    },
  };
}

/** Whether a name stays in the refs folder. */
function isSafeName(name: string): boolean {
  return (
    name.startsWith('refs/') && name.length < 1024 && !name.split('/').includes('..') && !name.includes('\0')
  );
}

/** Null if there are too many, or git may see different ones. */
async function readPacked(path: string): Promise<ReadonlyMap<string, string> | null> {
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size === 0) return NONE;
  return size > MAX_PACKED_BYTES ? null : parsePackedRefs(await readFile(path, 'latin1'));
}

/** Reads a small regular file; null otherwise. */
export async function readSmall(path: string): Promise<string | null> {
  const seen = await stat(path).catch(() => null);
  if (seen === null || !seen.isFile() || seen.size > 4096) return null;
  return readFile(path, 'utf8').catch(() => null);
}
