import { foldersAbove } from './folders-above.ts';
import type { Journal } from './journal.ts';

/** Of git, loose or packed, and the folders that they lie in; by its first group the folder of all objects. */
const OBJECT = /^((?:.*\/)?\.git\/(?:.*\/)?objects)\/(?:[\da-f]{2}(?:\/[\da-f]+)?|pack\/[^/]+)$/;

/**
 * What a commit added to the objects of a repository that stood before. An undo leaves it: git writes no object twice, so
 * that commits, stashes and indexes which a person made since may rest on it, and one that nothing names does no harm.
 */
export function addedObjects({ entries }: Pick<Journal, 'entries'>): ReadonlySet<string> {
  const made = new Set(entries.flatMap(({ op, path }) => (op === 'make' ? [path] : [])));
  const added = new Set<string>();
  for (const entry of entries) {
    if (entry.op !== 'make' && !(entry.op === 'put' && entry.before === null)) continue;
    const objects = OBJECT.exec(entry.path)?.[1];
    if (objects === undefined) continue;
    if (![objects, ...foldersAbove(objects)].some((folder) => made.has(folder))) added.add(entry.path);
  }
  return added;
}
