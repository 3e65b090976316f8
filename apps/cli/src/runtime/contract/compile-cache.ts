import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { CHECKOUT, IS_BUILT } from './checkout.ts';

/**
 * Where Node.js keeps what it compiled of this program; null: nowhere. What is kept is executed, so no command may write
 * there: beside a build of the checkout, to be removed with it; of a package, which others may have installed, below the home.
 */
export function compileCache(): string | null {
  if (CHECKOUT === null) return cacheBelow(ownHome());
  return IS_BUILT ? join(import.meta.dirname, '.cache') : join(CHECKOUT, 'node_modules/.cache/signalbox');
}

/** Commands write to a folder that is a workspace, or lies in one. */
export function cacheBelow(home: string | null): string | null {
  if (home === null) return null;
  const cache = join(home, '.cache', 'signalbox');
  for (let folder = cache; ; folder = dirname(folder)) {
    if (MARKS.some((name) => existsSync(join(folder, name)))) return null;
    if (folder === dirname(folder)) return cache;
  }
}

const MARKS = ['.signalbox', 'signalbox.yaml'] as const;

/** Not `HOME`, nor `XDG_CACHE_HOME`: the environment of a project may name a folder of the project. */
function ownHome(): string | null {
  try {
    return userInfo().homedir;
  } catch {
    // An account without an entry, as in containers.
    return null;
  }
}
