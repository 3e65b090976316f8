import { createDenyList } from './path-list.ts';
import { type Ground, placeOf } from './place.ts';

/** Tells which paths of the workspace these patterns deny, as those of `tools.file.deny_read` do. */
export function createPathDenial(patterns: readonly string[], ground: Ground): (path: string) => boolean {
  const denied = createDenyList(patterns, ground);
  return (path) => {
    const place = placeOf(path, ground);
    return place.kind === 'inside' && denied.find(place) !== undefined;
  };
}
