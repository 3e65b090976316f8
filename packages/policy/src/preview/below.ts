/** A path from a folder, inside the workspace; null outside of it. Both relative. */
export function below(folder: string, path: string): string | null {
  if (path === '' || path.startsWith('/') || path.startsWith('~') || path.includes('\0')) return null;
  const segments = folder === '.' ? [] : folder.split('/');
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.length === 0 ? '.' : segments.join('/');
}
