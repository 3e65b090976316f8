import { posix } from 'node:path';
import { maxFilesPerFolder } from '../architecture.ts';

/** Folders with more source files than the limit. Tests and benchmarks do not count; Lua scripts do. */
export function findLargeFolders(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (!/\.(?:tsx?|lua)$/.test(path) || /\.(?:test|bench)\.tsx?$/.test(path)) continue;
    const folder = posix.dirname(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > maxFilesPerFolder));
}
