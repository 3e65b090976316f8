/** `a/b/c` → `a`, `a/b`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** Whether a path is one of these or below one. */
export function isAtAny(path: string, those: ReadonlySet<string>): boolean {
  return those.has(path) || foldersAbove(path).some((folder) => those.has(folder));
}
