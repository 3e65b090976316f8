import { readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** The bits of an entry's flags that hold the length of its name, and so the longest name that is looked at. */
const LENGTH = 0xfff;

/**
 * The names that git tracks below a folder of a workspace, from the workspace on. Reads git's index itself; none where
 * its names are compressed (version 4). Source: git's `Documentation/gitformat-index`.
 */
export function trackedBelow(workspace: string, folder: string): readonly string[] {
  const found = gitOf(workspace);
  const index = found === null ? null : read(join(found.git, 'index'));
  if (found === null || index === null || index.length < 12 || index.readUInt32BE(4) > 3) return [];
  const above = relative(found.root, workspace).split(sep).join('/');
  const prefix = `${above === '' ? '' : `${above}/`}${folder}/`;
  const names: string[] = [];
  for (let at = index.indexOf(prefix); at >= 4; at = index.indexOf(prefix, at + prefix.length)) {
    const length = index.subarray(at, at + LENGTH).indexOf(0);
    // Where another length stands it is the tail of a longer name.
    const isName = [at - 2, at - 4].some((flags) => (index.readUInt16BE(flags) & LENGTH) === length);
    if (isName)
      names.push(index.toString('utf8', at, at + length).slice(above === '' ? 0 : above.length + 1));
  }
  return names;
}

/** The nearest repository that holds the folder; in a worktree `.git` is a file that names its folder. */
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

/** Nobody waits for a pipe. */
function read(path: string): Buffer | null {
  try {
    return statSync(path).isFile() ? readFileSync(path) : null;
  } catch {
    return null;
  }
}
