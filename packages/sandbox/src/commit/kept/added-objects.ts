import { foldersAbove } from '../disk/folders-above.ts';
import type { Journal } from '../disk/journal.ts';

/**
 * The git objects a commit added to an existing repository. An undo keeps them: git stores each object once, so
 * later commits, stashes and indexes of the user may depend on them, and unreferenced ones do no harm.
 */
export function addedObjects({ entries }: Pick<Journal, 'entries'>): ReadonlySet<string> {
  const made = new Set(entries.flatMap(({ op, path }) => (op === 'make' ? [path] : [])));
  const added = new Set<string>();
  for (const entry of entries) {
    // An existing object appears here if git only touched it; one with different content is restored.
    if (entry.op === 'remove' || (entry.op === 'put' && entry.before !== null)) continue;
    const objects = objectsAround(entry.path);
    if (objects === null) continue;
    if (![objects, ...foldersAbove(objects)].some((folder) => made.has(folder))) added.add(entry.path);
  }
  return added;
}

const FAN_OUT = /^[\da-f]{2}$/;

/**
 * The objects folder of a path in it: of an object, loose or packed, or of its parent folder. Null for other
 * paths.
 */
function objectsAround(path: string): string | null {
  const segments = path.split('/');
  const at = segments.lastIndexOf('objects');
  const [folder = '', name, ...deeper] = segments.slice(at + 1);
  if (at < 0 || deeper.length > 0 || !segments.slice(0, at).includes('.git')) return null;
  const isObject = FAN_OUT.test(folder) || (folder === 'pack' && name !== undefined);
  return isObject ? segments.slice(0, at + 1).join('/') : null;
}
