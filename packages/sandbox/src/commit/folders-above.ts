/** `a/b/c` → `a`, `a/b`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
