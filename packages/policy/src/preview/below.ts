/** Linux's PATH_MAX. */
const MAX_LENGTH = 4096;

/** A path from a folder, inside the workspace; null outside it, or when it is too long. Both relative. */
export function below(folder: string, path: string): string | null {
  if (path === '' || path.startsWith('/') || path.startsWith('~') || path.includes('\0')) return null;
  // Works on text, not on segments: a line may contain thousands of `cd`.
  let at = folder === '.' ? '' : folder;
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') at = at === '' ? segment : `${at}/${segment}`;
    else if (at === '') return null;
    else at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
  }
  if (at.length > MAX_LENGTH) return null;
  return at === '' ? '.' : at;
}
