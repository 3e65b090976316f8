import { absolutePath } from './paths.ts';

/** Absolute folders. */
export type OwnFolders = Readonly<{
  workspace: string;
  home?: string | undefined;
  ownFolders: readonly string[];
}>;

/**
 * Whether a path lies in a folder that every command has to itself, such as `/tmp` of the sandbox: what happens there
 * is gone with the command, and nobody else sees it.
 *
 * The workspace and the home may lie in one: they, what lies in them, and a folder or pattern that may mean the
 * workspace too, are no such paths.
 *
 * @param absolute a path or a shell pattern without `..`.
 */
export function isInOwnFolder(absolute: string, { workspace, home, ownFolders }: OwnFolders): boolean {
  if (ownFolders.length === 0) return false;
  const fixed = fixedBeginning(absolute);
  if (!ownFolders.some((folder) => lies(fixed, folder))) return false;
  return !lies(workspace, fixed) && !lies(fixed, workspace) && (home === undefined || !lies(fixed, home));
}

/**
 * Whether a path goes up from below such a folder: where a name may be a link, `/tmp/a/../b` is not what its text says.
 *
 * @param cwd absolute, for a relative text.
 */
export function climbsInOwnFolder(text: string, cwd: string | undefined, lineContext: OwnFolders): boolean {
  const at = text.search(/(?:^|\/)\.\.(?:\/|$)/);
  if (at < 0 || lineContext.ownFolders.length === 0) return false;
  const before = absolutePath(text.slice(0, at) || (text.startsWith('/') ? '/' : '.'), cwd ?? '/');
  return isInOwnFolder(before, lineContext) && !lineContext.ownFolders.includes(before);
}

/** The folder that a shell pattern begins in: `/tmp/a/*.log` → `/tmp/a`. */
export function fixedBeginning(pattern: string): string {
  const wildcard = pattern.search(/[*?[\]{}()]/);
  return wildcard < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wildcard));
}

/** In the folder or the folder itself; both absolute and normalised. */
function lies(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
