import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** The flag bits that hold the length of an entry's name, and so the longest name considered. */
const LENGTH = 0xfff;
const EXTENDED = 0x4000;
const HEADER_BYTES = 12;
/** Before an entry's id: times, device, inode, mode, owner, size. */
const STAT_BYTES = 40;
/** Length of an id with SHA-1 and with SHA-256. */
const ID_BYTES = [20, 32] as const;

/**
 * Names that git tracks below a folder, relative to the workspace, and the folder itself if it is a submodule. Reads
 * git's index itself, and its shared index. Source: git's `Documentation/gitformat-index`.
 */
export function trackedBelow(workspace: string, folder: string): readonly string[] {
  const found = gitOf(workspace);
  const index = found === null ? null : read(join(found.git, 'index'));
  if (found === null || index === null) return [];
  const above = relative(found.root, workspace).split(sep).join('/');
  const name = `${above === '' ? '' : `${above}/`}${folder}`;
  return [index, ...sharedBy(index, found.git)].flatMap((one) =>
    namesIn(one, name).map((path) => path.slice(above === '' ? 0 : above.length + 1)),
  );
}

/** A split index contains the changes, and the id of the file with the rest. */
function sharedBy(index: Buffer, git: string): readonly Buffer[] {
  return entriesOf(git).flatMap((file) => {
    const id = /^sharedindex\.([0-9a-f]{40,64})$/.exec(file)?.[1];
    const isNamed = id !== undefined && index.includes(Buffer.from(id, 'hex'));
    return (isNamed ? read(join(git, file)) : null) ?? [];
  });
}

function namesIn(index: Buffer, name: string): readonly string[] {
  if (index.length < HEADER_BYTES) return [];
  const isIn = (path: string): boolean => path === name || path.startsWith(`${name}/`);
  if (index.readUInt32BE(4) > 3)
    return ID_BYTES.flatMap((idBytes) => compressedNames(index, idBytes)).filter(isIn);
  const names: string[] = [];
  for (let at = index.indexOf(name); at >= 4; at = index.indexOf(name, at + name.length)) {
    const length = index.subarray(at, at + LENGTH).indexOf(0);
    // With another length it is the tail of a longer name.
    const isName = [at - 2, at - 4].some((flags) => (index.readUInt16BE(flags) & LENGTH) === length);
    const path = index.toString('utf8', at, at + length);
    if (isName && isIn(path)) names.push(path);
  }
  return names;
}

/** For version 4, where each name says how much of the previous one it drops; empty if ids have another length. */
function compressedNames(index: Buffer, idBytes: number): readonly string[] {
  const names: string[] = [];
  try {
    let before = Buffer.alloc(0);
    let at = HEADER_BYTES;
    for (let left = index.readUInt32BE(8); left > 0; left--) {
      const flagsAt = at + STAT_BYTES + idBytes;
      at = flagsAt + ((index.readUInt16BE(flagsAt) & EXTENDED) === 0 ? 2 : 4);
      let byte = index.readUInt8(at++);
      let dropped = byte & 0x7f;
      while ((byte & 0x80) !== 0) {
        byte = index.readUInt8(at++);
        dropped = (dropped + 1) * 128 + (byte & 0x7f);
      }
      const end = index.indexOf(0, at);
      if (end < 0 || dropped > before.length) return [];
      before = Buffer.concat([before.subarray(0, before.length - dropped), index.subarray(at, end)]);
      names.push(before.toString());
      at = end + 1;
    }
    return names;
  } catch {
    return [];
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The nearest repository that contains the folder; in a worktree `.git` is a file that names its folder. */
function gitOf(root: string): Readonly<{ root: string; git: string }> | null {
  const git = join(root, '.git');
  const stats = statsOf(git);
  if (stats?.isDirectory() === true) return { root, git };
  if (stats?.isFile() === true) {
    const named = /^gitdir: (.+)$/m.exec(read(git)?.toString('utf8') ?? '')?.[1] ?? '';
    return { root, git: isAbsolute(named) ? named : join(root, named) };
  }
  return dirname(root) === root ? null : gitOf(dirname(root));
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** A pipe does not block. */
function read(path: string): Buffer | null {
  try {
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
