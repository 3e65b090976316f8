import type { Effect, StampScope } from '@signalbox/core';

/** Entries of the read folders that are compared before a call is skipped; with more it is not skipped. */
const MAX_ENTRIES = 2000;

/** What these effects read; null if a part of it is outside the workspace or not known by name. */
export function scopeOf(effects: readonly Effect[]): StampScope | null {
  const paths = new Map<string, StampScope['paths'][number]>();
  for (const effect of effects) {
    if (effect.kind === 'resource') {
      for (const one of GIT_STATE) paths.set(one.path, one);
    } else if ('path' in effect && !/^[~/]/.test(effect.path)) {
      const isGlob = 'scope' in effect && effect.scope === 'glob';
      const path = isGlob ? folderOfGlob(effect.path) : effect.path;
      paths.set(path, { path });
    } else return null;
  }
  return { paths: [...paths.values()], maxEntries: MAX_ENTRIES };
}

/** Whether everything that the new call reads was also read by the earlier one. */
export function covers(earlier: readonly Effect[], later: readonly Effect[]): boolean {
  return later.every((effect) => {
    if (effect.kind === 'resource')
      return earlier.some((one) => one.kind === 'resource' && one.resource === effect.resource);
    return 'path' in effect && earlier.some((one) => 'path' in one && isReadBy(effect.path, one));
  });
}

/** Without the objects: a change of one shows in a ref or the index. */
const GIT_STATE: StampScope['paths'] = [
  { path: '.git', depth: 1 },
  { path: '.git/refs' },
  { path: '.git/logs' },
];

function isReadBy(path: string, effect: Effect & { readonly path: string }): boolean {
  if (path === effect.path) return true;
  const isTree = 'scope' in effect && effect.scope === 'tree';
  return isTree && (effect.path === '.' || path.startsWith(`${effect.path}/`));
}

function folderOfGlob(pattern: string): string {
  const fixed = pattern.slice(0, pattern.search(/[*?[{]/));
  return fixed.includes('/') ? fixed.slice(0, fixed.lastIndexOf('/')) : '.';
}
