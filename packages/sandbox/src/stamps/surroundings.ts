import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '@signalbox/core';
import { OWN_FOLDERS } from '../bubblewrap/machine-paths.ts';
import { stateAt } from './walk-tree.ts';

/** Files that package managers of a machine change with every package. */
const PACKAGE_DATABASES: readonly string[] = [
  '/var/lib/dpkg/status',
  '/var/lib/rpm',
  '/usr/lib/sysimage/rpm',
  '/var/lib/pacman/local',
  '/lib/apk/db/installed',
  '/nix/var/nix/db/db.sqlite',
  '/etc/ld.so.cache',
];
/** Names above a workspace whose content its programs load, and that are too large to compare. */
const LOADED_FROM_ABOVE: ReadonlySet<string> = new Set(['.git', 'node_modules']);
/** Entries of one folder above the workspace. */
const MAX_NAMES = 500;

/**
 * The state of the machine around a workspace, as far as it usually changes: folders of programs, package databases, and
 * files that lie directly in visible folders above the workspace, such as a linter's settings.
 *
 * @returns null when a folder above holds what can't be compared
 */
export function surroundingsOf(options: {
  readonly workspace: string;
  /** Homes that commands see empty. */
  readonly homes: readonly string[];
  /** Folders of programs, separated by `:`. */
  readonly path: string;
}): ReadonlyMap<string, string> | null {
  const states = new Map<string, string>();
  const note = (path: string): void => void states.set(path, stateAt(path));
  for (const folder of options.path.split(':')) if (folder.startsWith('/')) note(folder);
  PACKAGE_DATABASES.forEach(note);
  const masked = [...OWN_FOLDERS, ...options.homes];
  for (const folder of foldersAbove(options.workspace)) {
    if (masked.some((one) => isWithin(folder, one))) continue;
    const names = namesIn(folder);
    if (names === null || names.some(({ name }) => LOADED_FROM_ABOVE.has(name))) return null;
    for (const entry of names) if (!entry.isDirectory()) note(join(folder, entry.name));
  }
  return states;
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); !folders.includes(folder); folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Null if there are too many. A folder that we can't read is none that a command can read. */
function namesIn(folder: string) {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.length > MAX_NAMES ? null : entries;
  } catch {
    return [];
  }
}
