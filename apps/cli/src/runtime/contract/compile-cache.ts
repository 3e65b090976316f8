import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { CHECKOUT, IS_BUILT } from './checkout.ts';

/**
 * Folder of Node.js's compile cache for this program; null: no cache. Its content is executed, so commands must not be
 * able to write there. For a build in the checkout it is next to the build and removed with it; for a package, which
 * other users may have installed, it is below the home folder.
 */
export function compileCache(): string | null {
  if (CHECKOUT === null) return cacheBelow(ownHome());
  return IS_BUILT ? join(import.meta.dirname, '.cache') : join(CHECKOUT, 'node_modules/.cache/signalbox');
}

/** Commands can write to a folder that is a workspace or is inside one. */
export function cacheBelow(home: string | null): string | null {
  if (home === null) return null;
  const cache = join(home, '.cache', 'signalbox');
  for (let folder = cache; ; folder = dirname(folder)) {
    if (MARKS.some((name) => existsSync(join(folder, name)))) return null;
    if (folder === dirname(folder)) return cache;
  }
}

const MARKS = ['.signalbox', 'signalbox.yaml'] as const;

/** Not `HOME` or `XDG_CACHE_HOME`: a project's environment may set them to a folder of the project. */
function ownHome(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    // An account without a passwd entry, as in containers.
    return null;
  }
}
