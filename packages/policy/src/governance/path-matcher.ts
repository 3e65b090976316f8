import { createAllowList } from './path-list.ts';
import { type Ground, placeOf } from './place.ts';

/** Whether one of the patterns of settings names a path of the workspace, or a directory above it. */
export function createPathMatcher(patterns: readonly string[], ground: Ground): (path: string) => boolean {
  const list = createAllowList(patterns, ground);
  return (path) => {
    const place = placeOf(path, ground);
    return place.kind === 'inside' && list.admits(place);
  };
}
