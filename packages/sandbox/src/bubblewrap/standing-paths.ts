import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Those of many names below a folder that may stand: one look at the folder in the place of one at each name. Whatever their
 * case, since a file system may know none.
 */
export function standingBelow(folder: string, names: readonly string[]): string[] {
  let standing: ReadonlySet<string>;
  try {
    standing = new Set(readdirSync(folder).map((name) => name.toLowerCase()));
  } catch {
    return names.map((name) => join(folder, name));
  }
  return names
    .filter((name) => standing.has((name.split('/', 1)[0] ?? name).toLowerCase()))
    .map((name) => join(folder, name));
}

export function realOf(path: string): string[] {
  // Asked first, since most names are absent and an error is dear.
  if (!exists(path)) return [];
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}

export function exists(path: string): boolean {
  return look(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

/** Nothing can be mounted over it, and what it leads to is nobody's policy: settings are not read through it. */
export function isLink(path: string): boolean {
  return look(() => lstatSync(path, { throwIfNoEntry: false }))?.isSymbolicLink() ?? false;
}

export function isFolder(path: string): boolean {
  return look(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false;
}

export function isRealFolder(path: string): boolean {
  return look(() => lstatSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false;
}

export function isRealFile(path: string): boolean {
  return look(() => lstatSync(path, { throwIfNoEntry: false }))?.isFile() ?? false;
}

export function isSocket(path: string): boolean {
  return look(() => lstatSync(path, { throwIfNoEntry: false }))?.isSocket() ?? false;
}

/** What we may not look at, a command of the same user may not either. */
function look(ask: () => Stats | undefined): Stats | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
