import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { ToolFailure, UsageError } from '../../errors/errors.ts';
import { ContentHash } from '../../files/file-touch.ts';
import { followLinks } from '../../files/follow-links.ts';
import type { ChangedFile, FileEntry, Files } from '../../ports/files.ts';
import { StaleWriteError } from '../../errors/stale-write-error.ts';

type Entry = { readonly changedAt: number } & (
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'directory' }
  | { readonly kind: 'symlink'; readonly to: string }
);
type NewEntry =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'directory' }
  | { readonly kind: 'symlink'; readonly to: string };

export type MemoryFilesOptions = {
  /** Path to text; directories above are created. */
  readonly files?: Readonly<Record<string, string>>;
  /** Target by path of the link. */
  readonly symlinks?: Readonly<Record<string, string>>;
  /** Whether the policy denies a path. Default: none. */
  readonly isDenied?: ((path: string) => boolean) | undefined;
  /** Absolute path that absolute paths are relative to; default `/workspace`. */
  readonly root?: string;
};

/** Files of a workspace that is kept in memory. */
export type MemoryFiles = Files & {
  /** The present texts, by path. */
  texts(): Readonly<Record<string, string>>;
};

const DEFAULT_MAX_BYTES = 10 * 1024 * 1024;

export function createMemoryFiles(options: MemoryFilesOptions = {}): MemoryFiles {
  const { root = '/workspace', isDenied = () => false } = options;
  const entries = new Map<string, Entry>([['.', { kind: 'directory', changedAt: 0 }]]);
  let changes = 0;
  for (const [path, text] of Object.entries(options.files ?? {})) put(path, { kind: 'file', text });
  for (const [path, to] of Object.entries(options.symlinks ?? {})) put(path, { kind: 'symlink', to });

  function put(path: string, entry: NewEntry): void {
    changes += 1;
    for (let above = posix.dirname(path); above !== '.'; above = posix.dirname(above)) {
      entries.set(above, { kind: 'directory', changedAt: changes });
    }
    entries.set(path, { ...entry, changedAt: changes });
  }

  function normalise(path: string): string {
    const relative = posix.relative(root, posix.resolve(root, path));
    if (relative === '..' || relative.startsWith('../'))
      throw notAllowed(path, 'it is outside the workspace');
    return relative === '' ? '.' : relative;
  }

  /** The target of a path, through as many links as the system would follow. */
  function targetOf(given: string): string | null {
    let path = normalise(given);
    for (let left = 40; left > 0; left--) {
      const names = path.split('/');
      const at = names.findIndex((_, index) => linkAt(names.slice(0, index + 1)) !== undefined);
      if (at < 0) return entries.has(path) ? path : null;
      const to = linkAt(names.slice(0, at + 1)) ?? '';
      const full = posix.resolve(root, ...names.slice(0, at), to, ...names.slice(at + 1));
      const relative = posix.relative(root, full);
      if (relative === '..' || relative.startsWith('../')) return null;
      path = relative === '' ? '.' : relative;
    }
    return null;
  }

  function linkAt(names: readonly string[]): string | undefined {
    const entry = entries.get(names.join('/'));
    return entry?.kind === 'symlink' ? entry.to : undefined;
  }

  function followed(path: string): string {
    if (entries.get(path)?.kind !== 'symlink') return path;
    const target = targetOf(path);
    if (target === null) throw notAllowed(path, 'it is a link out of the workspace, or to nothing');
    return target;
  }

  /** The canonical path, unless the policy or a symbolic link forbids it. */
  function walk(given: string): string {
    const path = normalise(given);
    const names = path.split('/');
    for (let length = 1; length <= names.length; length++) {
      const prefix = names.slice(0, length).join('/');
      if (isDenied(prefix)) throw notAllowed(path, 'the policy denies it');
      if (length < names.length && entries.get(prefix)?.kind === 'symlink') {
        throw notAllowed(path, `"${prefix}" is a symbolic link`);
      }
    }
    return path;
  }

  function hasChildren(path: string): boolean {
    return [...entries.keys()].some((other) => other.startsWith(`${path}/`));
  }

  return {
    normalise,
    texts: () =>
      Object.fromEntries(
        [...entries].flatMap(([path, entry]) => (entry.kind === 'file' ? [[path, entry.text]] : [])),
      ),
    async readText(given, { maxBytes = DEFAULT_MAX_BYTES } = {}) {
      const path = walk(followed(walk(given)));
      const { text } = fileAt(entries, path);
      const bytes = Buffer.byteLength(text);
      if (bytes > maxBytes) throw failure('too-large', `Cannot read "${path}": it has ${bytes} bytes`);
      if (text.includes('\0')) throw failure('not-text', `Cannot read "${path}": it is not text`);
      return { path, text, bytes, hash: hashOf(text) };
    },
    async list(given, { depth = 1, limit = 1000 } = {}) {
      const folder = walk(given);
      const entry = entries.get(folder);
      if (entry === undefined) throw notFound(folder);
      if (entry.kind !== 'directory') throw failure('not-a-directory', `Cannot list "${folder}": it is none`);
      const below = [...entries.keys()]
        .filter((path) => path !== '.' && isWithin(path, folder, { depth }))
        .toSorted((a, b) => (a < b ? -1 : 1));
      const shown = below.filter((path) => !isDenied(path));
      return {
        entries: shown.slice(0, limit).map((path) => toFileEntry(path, entries.get(path))),
        truncated: shown.length > limit,
        hidden: below.length - shown.length,
      };
    },
    async stat(given) {
      const path = walk(given);
      const entry = entries.get(path);
      return entry === undefined ? null : toFileEntry(path, entry);
    },
    stampOf(given) {
      try {
        const entry = entries.get(normalise(given));
        return entry === undefined ? 'absent' : `${entry.changedAt}`;
      } catch {
        return 'unseen';
      }
    },
    targetOf,
    async followLinks(given) {
      const readLink = async (path: string) => {
        const entry = entries.get(path);
        return entry?.kind === 'symlink' ? entry.to : null;
      };
      return followLinks(normalise(given), { root, readLink, isDenied });
    },
    async write(given, text, { expected, by }): Promise<ChangedFile> {
      const path = walk(given);
      // The rest is synchronous: no other write can come between the check and the change.
      await by?.mayChange();
      const entry = entries.get(path);
      if (entry !== undefined && entry.kind !== 'file') throw notAFile(path);
      const current = entry === undefined ? null : { hash: hashOf(entry.text), text: entry.text };
      if ((current?.hash ?? 'absent') !== expected) throw new StaleWriteError(path, current);
      put(path, { kind: 'file', text });
      const hash = hashOf(text);
      const kind = current === null ? 'created' : current.hash === hash ? 'unchanged' : 'modified';
      return { path, kind, hash, before: current?.text ?? null };
    },
    async remove(given, expected, by): Promise<ChangedFile> {
      const path = walk(given);
      await by?.mayChange();
      const entry = entries.get(path);
      if (entry === undefined) throw notFound(path);
      if (expected === 'directory') {
        if (entry.kind !== 'directory' || hasChildren(path)) {
          throw failure('not-a-file', `Cannot delete "${path}": it is not an empty directory`);
        }
      } else {
        const { text } = fileAt(entries, path);
        if (hashOf(text) !== expected) throw new StaleWriteError(path, { hash: hashOf(text), text });
      }
      entries.delete(path);
      return { path, kind: 'deleted', hash: null, before: entry.kind === 'file' ? entry.text : null };
    },
    // Memory keeps no old versions, and has no partly applied changes.
    takeBack: () => Promise.resolve(),
    changesOf: () => Promise.resolve(null),
    undo: (id) => Promise.reject(new UsageError('nothing-to-undo', `Cannot undo ${id}: no undo copy exists`)),
  };
}

export function hashOf(text: string): ContentHash {
  return ContentHash.parse(createHash('sha256').update(text).digest('hex'));
}

function fileAt(entries: ReadonlyMap<string, Entry>, path: string): { readonly text: string } {
  const entry = entries.get(path);
  if (entry === undefined) throw notFound(path);
  if (entry.kind !== 'file') throw notAFile(path);
  return entry;
}

function isWithin(path: string, folder: string, { depth }: Readonly<{ depth: number }>): boolean {
  const below = folder === '.' ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : '';
  return below !== '' && below.split('/').length <= depth;
}

function toFileEntry(path: string, entry: Entry | undefined): FileEntry {
  const bytes = entry?.kind === 'file' ? Buffer.byteLength(entry.text) : 0;
  return { path, kind: entry?.kind ?? 'other', bytes, changedAt: entry?.changedAt ?? 0 };
}

function notFound(path: string): ToolFailure {
  return failure('not-found', `Cannot find "${path}": it does not exist`);
}

function notAFile(path: string): ToolFailure {
  return failure('not-a-file', `Cannot use "${path}": it is not a file`);
}

function notAllowed(path: string, why: string): ToolFailure {
  return new ToolFailure({
    code: 'path_not_allowed',
    category: 'PolicyBlocked',
    message: `Cannot use "${path}": ${why}`,
  });
}

function failure(code: string, message: string): ToolFailure {
  return new ToolFailure({ code, category: 'InvalidParameters', message });
}
