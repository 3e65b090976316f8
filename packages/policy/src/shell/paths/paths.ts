import type { EffectPath } from '@signalbox/core';

/** Directories of a line: absolute and normalised. */
export type LineContext = Readonly<{
  workspace: string;
  /** A placeholder that no real path begins with when it is unknown; effects show it as `~`. */
  home: string;
  /** Absolute folders that are private to the line; see `own-folders.ts`. */
  ownFolders: readonly string[];
  /** The first line of a file of the workspace, by its absolute path. Default: not read. */
  firstLineOf?: ((path: string) => string | undefined) | undefined;
}>;

/** Placeholder for an unknown home directory. */
export const UNKNOWN_HOME = '/~';

/** Longer paths are treated as unknown: no system opens them. */
const MAX_PATH_LENGTH = 4096;

/** A located path: `inside` is relative to the workspace, `outside` is absolute or begins with `~`. */
export type LocatedPath = Readonly<{ place: 'inside' | 'outside'; path: EffectPath; absolute: string }>;

/** Joins and normalises; `cwd` is absolute. Symbolic links are resolved when the command runs, not here. */
export function absolutePath(text: string, cwd: string): string {
  const segments: string[] = [];
  for (const segment of (text.startsWith('/') ? text : `${cwd}/${text}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** Undefined when the path can't be known: too long, or relative to an unknown directory. */
export function locate(
  text: string,
  cwd: string | undefined,
  lineContext: LineContext,
): LocatedPath | undefined {
  if (text.length === 0 || text.length > MAX_PATH_LENGTH) return undefined;
  if (cwd === undefined && !text.startsWith('/')) return undefined;
  const absolute = absolutePath(text, cwd ?? '/');
  if (absolute.length > MAX_PATH_LENGTH) return undefined;
  const inside = relativeTo(absolute, lineContext.workspace);
  // `~/a` means the home directory: a folder of the workspace named `~` is `./~`.
  if (inside !== undefined)
    return { place: 'inside', path: inside.startsWith('~/') ? `./${inside}` : inside, absolute };
  const atHome = relativeTo(absolute, lineContext.home);
  if (atHome === undefined) return { place: 'outside', path: absolute, absolute };
  return { place: 'outside', path: atHome === '.' ? '~/' : `~/${atHome}`, absolute };
}

function relativeTo(absolute: string, directory: string): string | undefined {
  if (absolute === directory) return '.';
  const prefix = directory === '/' ? '/' : `${directory}/`;
  return absolute.startsWith(prefix) ? absolute.slice(prefix.length) : undefined;
}
