import { parsePackedRefs } from './packed-refs.ts';

const OF_ONE = /^refs\/replace\//i;

const REPLACES = 'it replaces the content of commits (git replace)';
const OTHERWISE = 'it is not as git writes it: a row is an id, one space and a ref, sorted by ref';

/**
 * Why a refs file is rejected: it makes git show one object instead of another, or git may see different refs
 * in it than we do. Null when accepted.
 *
 * @param text Reads its bytes (`latin1`); null for what is no file of a bounded size.
 * @param textBefore What a file of that git folder held before.
 */
export function whyNotRefs(
  within: string,
  text: () => string | null,
  textBefore: (within: string) => string | null,
): string | null {
  if (within !== 'packed-refs' && !OF_ONE.test(within)) return null;
  const own = text();
  const added = own === null ? null : replacementsIn(within, own);
  if (added === null) return within === 'packed-refs' ? OTHERWISE : REPLACES;
  // Git itself moves a ref from its own file into the packed ones.
  const packed = new Map(replacementsIn('packed-refs', textBefore('packed-refs')));
  const isNew = added.some(
    ([ref, id]) => packed.get(ref) !== id && new Map(replacementsIn(ref, textBefore(ref))).get(ref) !== id,
  );
  return isNew ? REPLACES : null;
}

/** Replacement refs by the id they replace; null if the file can't be read the way git does. */
function replacementsIn(within: string, text: string | null): readonly (readonly [string, string])[] | null {
  if (text === null) return [];
  if (OF_ONE.test(within)) return [[within, text.trim()]];
  const refs = parsePackedRefs(text);
  return refs === null ? null : [...refs].filter(([ref]) => OF_ONE.test(ref));
}
