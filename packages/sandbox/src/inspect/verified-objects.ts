import { createHash } from 'node:crypto';
import type { Repository } from './open-repository.ts';

/** A git object whose content matches the hash in its name. Git itself reads objects without checking. */
export type VerifiedObject = { readonly type: string; readonly body: Buffer; readonly hashBytes: 20 | 32 };

/** What a commit has at a path. `unknown`: trusted objects don't tell. */
export type HeldObjects =
  | { readonly kind: 'file'; readonly blob: string }
  | { readonly kind: 'absent' | 'other' | 'unknown' };

export type History = {
  /** The given commits that are the starts or ancestors of them. */
  reachable(commits: readonly string[]): Promise<ReadonlySet<string>>;
  /** The objects at a path in each commit, in the same order. */
  at(commits: readonly string[], path: string): Promise<readonly HeldObjects[]>;
  /** Reads objects; omits unreadable, large and forged ones. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, VerifiedObject>>;
};

/** Upper bound on walked commits, newest first; content of older ones is unknown. */
const MAX_COMMITS = 20_000;
/** For one answer of git. */
const MAX_BYTES = 64 * 1024 ** 2;
const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const FILE_MODES: ReadonlySet<string> = new Set(['100644', '100755']);

/**
 * History that hashes prove. A process that can write to `.git/objects` can store other content under an
 * existing name, or a pack index that leads elsewhere, so each commit, tree and blob between a ref and a file
 * is hashed here.
 */
export function createHistory(starts: readonly string[], { git }: Pick<Repository, 'git'>): History {
  let walked: Promise<ReadonlySet<string>> | null = null;

  async function read(ids: readonly string[]): Promise<ReadonlyMap<string, VerifiedObject>> {
    const wanted = [...new Set(ids)].filter((id) => ID.test(id));
    if (wanted.length === 0) return new Map();
    const { bytes } = await git(['cat-file', '--batch', '--buffer'], MAX_BYTES, {
      input: `${wanted.join('\n')}\n`,
    });
    return parseBatch(bytes);
  }

  async function walk(): Promise<ReadonlySet<string>> {
    const list = ['-c', 'core.commitGraph=false', 'rev-list', `--max-count=${MAX_COMMITS}`, ...starts, '--'];
    const { text } = await git(list, MAX_BYTES);
    const objects = await read([...starts, ...text.split('\n')]);
    const found = new Set<string>();
    const next = [...starts];
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      const object = objects.get(id);
      if (found.has(id) || object === undefined) continue;
      found.add(id);
      next.push(...namesIn(object, object.type === 'tag' ? 'object' : 'parent'));
    }
    return found;
  }

  return {
    read,
    async reachable(commits) {
      const all = await (walked ??= walk());
      return new Set(commits.filter((id) => all.has(id)));
    },
    async at(commits, path) {
      const heads = await read(commits);
      let held = commits.map((id): HeldObjects | { readonly kind: 'tree'; readonly tree: string } => {
        const commit = heads.get(id);
        const [tree] = commit?.type === 'commit' ? namesIn(commit, 'tree') : [];
        return tree === undefined ? { kind: 'unknown' } : { kind: 'tree', tree };
      });
      const names = path.split('/');
      for (const [depth, name] of names.entries()) {
        const trees = await read(held.flatMap((one) => (one.kind === 'tree' ? [one.tree] : [])));
        held = held.map((one) =>
          one.kind === 'tree'
            ? entryOf(trees.get(one.tree), name, { isLast: depth === names.length - 1 })
            : one,
        );
      }
      return held.map((one) => (one.kind === 'tree' ? { kind: 'other' } : one));
    },
  };
}

/**
 * Parses `ID TYPE SIZE`, content and line end for each object, or `ID missing`. An incomplete last part is
 * omitted.
 */
function parseBatch(bytes: Buffer): ReadonlyMap<string, VerifiedObject> {
  const found = new Map<string, VerifiedObject>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    if (end < 0) break;
    const [id = '', type = '', size] = bytes.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    const body = bytes.subarray(at, at + Number(size));
    at += Number(size) + 1;
    if (nameOf(type, id.length, body) === id)
      found.set(id, { type, body, hashBytes: id.length === 64 ? 32 : 20 });
  }
  return found;
}

function nameOf(type: string, length: number, body: Buffer): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`${type} ${body.length}\0`).update(body).digest('hex');
}

/** Ids in the header of a commit or a tag. */
function namesIn({ body }: VerifiedObject, field: 'tree' | 'parent' | 'object'): readonly string[] {
  const end = body.indexOf('\n\n');
  return body
    .toString('latin1', 0, end < 0 ? body.length : end)
    .split('\n')
    .flatMap((line) => (line.startsWith(`${field} `) ? [line.slice(field.length + 1)] : []));
}

/** A tree is a list of `MODE NAME`, NUL, and the hash in bytes. */
function entryOf(
  tree: VerifiedObject | undefined,
  name: string,
  { isLast }: Readonly<{ isLast: boolean }>,
): HeldObjects | { readonly kind: 'tree'; readonly tree: string } {
  if (tree?.type !== 'tree') return { kind: 'unknown' };
  const { body, hashBytes } = tree;
  const wanted = Buffer.from(name);
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(32, at);
    const nul = body.indexOf(0, space);
    if (space < 0 || nul < 0) return { kind: 'unknown' };
    if (body.subarray(space + 1, nul).equals(wanted)) {
      const mode = body.toString('latin1', at, space);
      const id = body.toString('hex', nul + 1, nul + 1 + hashBytes);
      if (mode === '40000') return isLast ? { kind: 'other' } : { kind: 'tree', tree: id };
      return isLast && FILE_MODES.has(mode) ? { kind: 'file', blob: id } : { kind: 'other' };
    }
    at = nul + 1 + hashBytes;
  }
  return { kind: 'absent' };
}
