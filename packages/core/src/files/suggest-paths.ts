import { nearestWord } from '../settings/keys/nearest-word.ts';

/** More would not help. */
const MAX_SUGGESTIONS = 3;

/**
 * Suggests existing paths for a missing one: with omitted folders, misspelt, in other folders, or both. At most
 * three; none if there are many matches.
 */
export function suggestPaths(
  given: string,
  paths: {
    /** The closest spelling in the same folder. */
    readonly beside: string | undefined;
    readonly all: readonly string[];
  },
): readonly string[] {
  const { folders, name } = apart(given);
  const all = paths.all.map((path) => ({ path, ...apart(path) }));
  const below = all.filter((one) => isWithin(folders, one.folders));
  const sameName = (one: { name: string }): boolean => one.name.toLowerCase() === name.toLowerCase();
  const leftOut = shortest(below.filter(sameName));
  if (leftOut.length > 0 && leftOut.length <= MAX_SUGGESTIONS) return few(leftOut);
  if (paths.beside !== undefined) return [paths.beside];
  const elsewhere = few(all.filter(sameName));
  if (elsewhere.length > 0 || folders.length === 0) return elsewhere;
  const misspelt = nearestWord(name, new Set(below.map((one) => one.name)));
  return misspelt === undefined ? [] : few(shortest(below.filter((one) => one.name === misspelt)));
}

type Found = { readonly path: string; readonly folders: readonly string[]; readonly name: string };

function apart(path: string): Omit<Found, 'path'> {
  const segments = path.split('/');
  return { folders: segments.slice(0, -1), name: segments.at(-1) ?? path };
}

/** Whether the one list contains all folders of the other, in order. */
function isWithin(these: readonly string[], those: readonly string[]): boolean {
  let at = 0;
  for (const folder of those) if (folder === these[at]) at += 1;
  return at === these.length;
}

/** The paths with the fewest folders. */
function shortest(found: readonly Found[]): readonly Found[] {
  const least = Math.min(...found.map(({ folders }) => folders.length));
  return found.filter(({ folders }) => folders.length === least);
}

function few(found: readonly Found[]): readonly string[] {
  return found.length > MAX_SUGGESTIONS ? [] : found.map(({ path }) => path);
}
