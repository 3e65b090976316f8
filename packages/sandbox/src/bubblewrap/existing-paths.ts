import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns those of many names that may exist below a folder. Lists the folder once instead of checking each name, and
 * ignores case, since the file system may.
 */
export function existingBelow(folder: string, names: readonly string[]): string[] {
  let existing: ReadonlySet<string>;
  try {
    existing = new Set(readdirSync(folder).map((name) => name.toLowerCase()));
  } catch {
    return names.map((name) => join(folder, name));
  }
  return names
    .filter((name) => existing.has((name.split('/', 1)[0] ?? name).toLowerCase()))
    .map((name) => join(folder, name));
}

export function realOf(path: string): string[] {
  // Checked without an exception first, since most names are absent and exceptions are slow.
  if (!exists(path)) return [];
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}

export function exists(path: string): boolean {
  return statOrMissing(() => lstatSync(path, { throwIfNoEntry: false })) !== undefined;
}

/** Nothing can be mounted over a link, and its target is no policy file: settings are not read through links. */
export function isLink(path: string): boolean {
  return statOrMissing(() => lstatSync(path, { throwIfNoEntry: false }))?.isSymbolicLink() ?? false;
}

export function isFolder(path: string): boolean {
  return statOrMissing(() => statSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false;
}

export function isRealFolder(path: string): boolean {
  return statOrMissing(() => lstatSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false;
}

export function isRealFile(path: string): boolean {
  return statOrMissing(() => lstatSync(path, { throwIfNoEntry: false }))?.isFile() ?? false;
}

export function isSocket(path: string): boolean {
  return statOrMissing(() => lstatSync(path, { throwIfNoEntry: false }))?.isSocket() ?? false;
}

/** A path that we can't access is not accessible to a command of the same user either. */
function statOrMissing(ask: () => Stats | undefined): Stats | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
