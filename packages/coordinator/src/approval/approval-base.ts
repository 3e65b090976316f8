import {
  type ApprovalBase,
  type BaseFile,
  type Effect,
  type FileEntry,
  type Files,
  ToolFailure,
  type Verdict,
} from '@signalbox/core';
import { baseOfPattern } from '../preview/pattern-base.ts';

type Reader = Pick<Files, 'normalise' | 'readText' | 'stat' | 'list' | 'followLinks'>;
type Found = {
  readonly files: readonly BaseFile[];
  readonly unbound: readonly string[];
  /** Path of a link that could not be followed. */
  readonly lost?: string;
};

/** Larger files, and those that are not text, are compared by size and time of last change. */
const MAX_HASHED_BYTES = 1024 * 1024;
/** Per folder; the content of a larger folder is not bound. */
const MAX_NAMES = 500;
const MAX_DEPTH = 32;
/** Per call; further paths are not bound. */
const MAX_BOUND_PATHS = 64;

/**
 * The current state of what a call would touch: the content of the files it names to read, write or delete, and the
 * names, sizes and times of entries in the folders and patterns it would write or delete in.
 *
 * Links are followed: each link and its target are bound. Files are only read through the port, so paths that policy
 * hides from everyone are not bound.
 */
export async function baseOf({ effects }: Pick<Verdict, 'effects'>, files: Reader): Promise<ApprovalBase> {
  const boundPaths = boundPathsOf(effects);
  const found: Found[] = [];
  for (const boundPath of boundPaths.slice(0, MAX_BOUND_PATHS)) found.push(await readTree(boundPath, files));
  const byPath = new Map(found.flatMap((one) => one.files).map((file) => [file.path, file]));
  const left = boundPaths.slice(MAX_BOUND_PATHS).map(({ path }) => path);
  const runsCode = effects.some(({ kind }) => kind === 'repository-code' || kind === 'process');
  const lost = runsCode ? [...new Set(found.flatMap((one) => one.lost ?? []))] : [];
  return {
    files: [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    unbound: [...new Set([...found.flatMap((one) => one.unbound), ...left, ...unknownOf(effects)])],
    ...(lost.length === 0 ? {} : { unboundCode: lost }),
  };
}

/** The names whose state differs, sorted. */
export function changedBetween(before: ApprovalBase, now: ApprovalBase): readonly string[] {
  const was = new Map(before.files.map(({ path, state }) => [path, state]));
  const is = new Map(now.files.map(({ path, state }) => [path, state]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => was.get(path) !== is.get(path))
    .toSorted();
}

type BoundPath = {
  readonly path: string;
  readonly scope: 'file' | 'tree' | 'glob';
  /** A deletion affects the link itself. */
  readonly isDeleted: boolean;
};

/** Each path once. A folder that is only read as a whole is not bound. */
function boundPathsOf(effects: readonly Effect[]): readonly BoundPath[] {
  const boundPaths = effects.flatMap((effect): BoundPath[] => {
    switch (effect.kind) {
      case 'write':
      case 'delete':
        return [{ ...effect, isDeleted: effect.kind === 'delete' }];
      case 'read':
        return effect.scope === 'file' ? [{ ...effect, isDeleted: false }] : [];
      case 'process':
        return effect.program.includes('/')
          ? [{ path: effect.program, scope: 'file', isDeleted: false }]
          : [];
      case 'write-unknown':
      case 'network':
      case 'privilege':
      case 'repository-code':
      case 'secret':
      case 'resource':
        return [];
    }
  });
  return [
    ...new Map(
      boundPaths.map((boundPath) => [
        `${boundPath.scope} ${boundPath.isDeleted} ${boundPath.path}`,
        boundPath,
      ]),
    ).values(),
  ];
}

function unknownOf(effects: readonly Effect[]): readonly string[] {
  const has = (kind: Effect['kind']): boolean => effects.some((effect) => effect.kind === kind);
  return [
    ...(has('write-unknown') ? ['its writes are unknown until it runs'] : []),
    ...(has('repository-code') ? ['workspace code that it runs'] : []),
    ...effects.flatMap((effect) => (effect.kind === 'resource' ? [effect.resource] : [])),
  ];
}

async function readTree(boundPath: BoundPath, files: Reader): Promise<Found> {
  if (boundPath.isDeleted || boundPath.scope === 'glob') return readState(boundPath, files);
  const followed = await files.followLinks(boundPath.path).catch((error: unknown) => {
    if (error instanceof ToolFailure) return null;
    throw error;
  });
  if (followed === null || followed.links.length === 0) return readState(boundPath, files);
  const { links, end } = followed;
  const bound = links.map(({ path, to }) => ({ path, state: `link to ${to}` }));
  if (end === null) {
    const unbound = [`${boundPath.path} is a link to a path that can't be read here`];
    return { files: bound, unbound, lost: boundPath.path };
  }
  const found = await readState({ ...boundPath, path: end }, files);
  return { ...found, files: [...bound, ...found.files] };
}

async function readState({ path, scope }: Omit<BoundPath, 'isDeleted'>, files: Reader): Promise<Found> {
  try {
    if (scope === 'glob') return await readByPattern(path, files);
    const name = files.normalise(path);
    const entry = name === '.' ? null : await files.stat(name);
    const isFolder = name === '.' || entry?.kind === 'directory';
    if (isFolder && scope === 'tree') return await readFolder(name, files, { isMeant: () => true });
    return { files: [{ path: name, state: await stateOf(entry, files) }], unbound: [] };
  } catch (error) {
    // Not readable: outside the workspace, behind a link or hidden by policy.
    if (error instanceof ToolFailure) return { files: [], unbound: [path] };
    throw error;
  }
}

async function readByPattern(pattern: string, files: Reader): Promise<Found> {
  const boundPath = baseOfPattern(pattern, files);
  if (boundPath === undefined) return { files: [], unbound: [pattern] };
  return readFolder(boundPath.folder, files, { isMeant: boundPath.isMeant, depth: boundPath.depth });
}

async function readFolder(
  folder: string,
  files: Reader,
  { isMeant, depth = MAX_DEPTH }: Readonly<{ isMeant: (path: string) => boolean; depth?: number }>,
): Promise<Found> {
  const stands = folder === '.' || (await files.stat(folder))?.kind === 'directory';
  if (!stands) return { files: [{ path: folder, state: 'absent' }], unbound: [] };
  const { entries, truncated } = await files.list(folder, { depth, limit: MAX_NAMES });
  if (truncated) return { files: [], unbound: [`${folder}: more than ${MAX_NAMES} names`] };
  const meant = entries.filter((entry) => isMeant(entry.path));
  return {
    files: [
      { path: folder, state: 'folder' },
      ...meant.map((entry) => ({ path: entry.path, state: stateByRead(entry) })),
    ],
    unbound: [],
  };
}

async function stateOf(entry: FileEntry | null, files: Reader): Promise<string> {
  if (entry === null) return 'absent';
  if (entry.kind !== 'file' || entry.bytes > MAX_HASHED_BYTES) return stateByRead(entry);
  try {
    return `sha256 ${(await files.readText(entry.path, { maxBytes: MAX_HASHED_BYTES })).hash}`;
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    if (error.code === 'not-found') return 'absent';
    if (error.code === 'not-text' || error.code === 'too-large') return stateByRead(entry);
    throw error;
  }
}

/** A folder is represented by its entries; its own time changes with every entry added or removed. */
function stateByRead({ kind, bytes, changedAt }: FileEntry): string {
  return kind === 'directory' ? 'folder' : `${kind}, ${bytes} bytes, changed ${changedAt}`;
}
