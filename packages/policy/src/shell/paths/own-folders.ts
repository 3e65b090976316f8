import { absolutePath } from './paths.ts';

/** Absolute folders. */
export type OwnFolders = Readonly<{
  workspace: string;
  home?: string | undefined;
  ownFolders: readonly string[];
}>;

/**
 * Whether a path is in a folder that is private to every command, such as `/tmp` of the sandbox: changes there are gone
 * with the command, and invisible to others.
 *
 * The workspace and the home may be inside one: they, their content, and a folder or pattern that may include the
 * workspace are excluded.
 *
 * @param absolute a path or a shell pattern without `..`.
 */
export function isInOwnFolder(absolute: string, { workspace, home, ownFolders }: OwnFolders): boolean {
  if (ownFolders.length === 0) return false;
  const fixed = fixedBeginning(absolute);
  if (!ownFolders.some((folder) => isInside(fixed, folder))) return false;
  return (
    !isInside(workspace, fixed) &&
    !isInside(fixed, workspace) &&
    (home === undefined || !isInside(fixed, home))
  );
}

/**
 * Whether a path goes up from below such a folder: where a name may be a link, `/tmp/a/../b` is not the path of its
 * text.
 *
 * @param cwd absolute, for a relative text.
 */
export function climbsInOwnFolder(text: string, cwd: string | undefined, lineContext: OwnFolders): boolean {
  const at = text.search(/(?:^|\/)\.\.(?:\/|$)/);
  if (at < 0 || lineContext.ownFolders.length === 0) return false;
  const before = absolutePath(text.slice(0, at) || (text.startsWith('/') ? '/' : '.'), cwd ?? '/');
  return isInOwnFolder(before, lineContext) && !lineContext.ownFolders.includes(before);
}

/** The folder that a shell pattern starts in: `/tmp/a/*.log` → `/tmp/a`. */
export function fixedBeginning(pattern: string): string {
  const wildcard = pattern.search(/[*?[\]{}()]/);
  return wildcard < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', wildcard));
}

/** The folder itself or a path in it; both absolute and normalised. */
function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}
