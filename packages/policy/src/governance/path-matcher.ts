import { createAllowList } from './path-list.ts';
import { type PathContext, locatePath } from './path-location.ts';

/** Whether one of the patterns of settings names a path of the workspace, or a directory above it. */
export function createPathMatcher(
  patterns: readonly string[],
  pathContext: PathContext,
): (path: string) => boolean {
  const list = createAllowList(patterns, pathContext);
  return (path) => {
    const location = locatePath(path, pathContext);
    return location.kind === 'inside' && list.admits(location);
  };
}
