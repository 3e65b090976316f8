import { foldersAbove } from './folders-above.ts';
import type { Journal } from './journal.ts';

/**
 * What a commit added to the objects of a repository that stood before. An undo leaves it: git writes no object twice, so
 * that commits, stashes and indexes which a person made since may rest on it, and one that nothing names does no harm.
 */
export function addedObjects({ entries }: Pick<Journal, 'entries'>): ReadonlySet<string> {
  const made = new Set(entries.flatMap(({ op, path }) => (op === 'make' ? [path] : [])));
  const added = new Set<string>();
  for (const entry of entries) {
    // One that stood there is among them where git has but touched it; another content of it is put back.
    if (entry.op === 'remove' || (entry.op === 'put' && entry.before !== null)) continue;
    const objects = objectsAround(entry.path);
    if (objects === null) continue;
    if (![objects, ...foldersAbove(objects)].some((folder) => made.has(folder))) added.add(entry.path);
  }
  return added;
}

const FAN_OUT = /^[\da-f]{2}$/;

/** The folder of all objects, for one of git, loose or packed, and for the folder that it lies in; null for all else. */
function objectsAround(path: string): string | null {
  const segments = path.split('/');
  const at = segments.lastIndexOf('objects');
  const [folder = '', name, ...deeper] = segments.slice(at + 1);
  if (at < 0 || deeper.length > 0 || !segments.slice(0, at).includes('.git')) return null;
  const isObject = FAN_OUT.test(folder) || (folder === 'pack' && name !== undefined);
  return isObject ? segments.slice(0, at + 1).join('/') : null;
}
