import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Larger ones are not read. */
const MAX_PACKED_BYTES = 8 * 1024 ** 2;
const MAX_REFS = 2000;
const MAX_LINKS = 5;
const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** The refs of a repository, read from its files: no program runs, so nothing that it configures does. */
export type Refs = Readonly<{
  /** The branch that HEAD names, and its commit; null before the first one. */
  head: Readonly<{ branch: string | null; commit: string | null }>;
  /** `refs/heads/main` to its commit; undefined when there is none. */
  find(name: string): Promise<string | undefined>;
  /** False where there are packed refs too many to be read. */
  isWhole: boolean;
  /** Names below `refs/remotes/origin/`, with their commits. */
  below(prefix: string): Promise<ReadonlyMap<string, string>>;
}>;

/** @param gitFolder Of the work tree. @param common Of the repository; another one in a linked work tree. */
export async function readRefs(gitFolder: string, common: string): Promise<Refs> {
  const packed = await readPacked(join(common, 'packed-refs'));

  async function resolve(text: string, links = 0): Promise<string | undefined> {
    const value = text.trim();
    if (OID.test(value)) return value;
    const name = /^ref: (refs\/[^\s]+)$/.exec(value)?.[1];
    return name === undefined || links >= MAX_LINKS ? undefined : find(name, links + 1);
  }

  async function find(name: string, links = 0): Promise<string | undefined> {
    if (!isSafeName(name)) return undefined;
    for (const folder of new Set([gitFolder, common])) {
      const text = await readSmall(join(folder, name));
      if (text !== null) return resolve(text, links);
    }
    return packed?.get(name);
  }

  const head = (await readSmall(join(gitFolder, 'HEAD')))?.trim() ?? '';
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? null;
  return {
    head: { branch, commit: (await resolve(head)) ?? null },
    isWhole: packed !== null,
    find: (name) => find(name),
    async below(prefix) {
      const names = new Set([...(packed?.keys() ?? [])].filter((name) => name.startsWith(prefix)));
      for (const name of await looseNames(join(common, prefix))) names.add(`${prefix}${name}`);
      const found = new Map<string, string>();
      for (const name of [...names].slice(0, MAX_REFS)) {
        const commit = await find(name);
        if (commit !== undefined) found.set(name, commit);
      }
      return found;
    },
  };
}

/** No way out of the folder of refs. */
function isSafeName(name: string): boolean {
  return (
    name.startsWith('refs/') && name.length < 1024 && !name.split('/').includes('..') && !name.includes('\0')
  );
}

async function looseNames(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .slice(0, MAX_REFS)
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\/+/, ''));
  } catch {
    return [];
  }
}

/** Null where there are too many. */
async function readPacked(path: string): Promise<ReadonlyMap<string, string> | null> {
  const found = new Map<string, string>();
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size === 0) return found;
  if (size > MAX_PACKED_BYTES) return null;
  for (const row of (await readFile(path, 'utf8')).split('\n')) {
    const at = row.indexOf(' ');
    const [id, name] = [row.slice(0, at), row.slice(at + 1)];
    if (at > 0 && OID.test(id)) found.set(name, id);
  }
  return found;
}

/** Null when it is no small regular file. */
export async function readSmall(path: string): Promise<string | null> {
  const seen = await stat(path).catch(() => null);
  if (seen === null || !seen.isFile() || seen.size > 4096) return null;
  return readFile(path, 'utf8').catch(() => null);
}
