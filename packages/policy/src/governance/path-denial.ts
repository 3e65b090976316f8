import { createDenyList } from './path-list.ts';
import { type PathContext, locatePath } from './path-location.ts';

/** Whether these patterns deny a path of the workspace, as those of `tools.file.deny_read` do. */
export function createPathDenial(
  patterns: readonly string[],
  pathContext: PathContext,
): (path: string) => boolean {
  const denied = createDenyList(patterns, pathContext);
  return (path) => {
    const location = locatePath(path, pathContext);
    return location.kind === 'inside' && denied.find(location) !== undefined;
  };
}
