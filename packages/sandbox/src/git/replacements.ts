import { parsePackedRefs } from './packed-refs.ts';

const OF_ONE = /^refs\/replace\//i;

const REPLACES = 'it shows other content in the place of what commits hold (git replace)';
const OTHERWISE = 'it is not as git writes it: a row is an id, one space and a ref, sorted by ref';

/**
 * Why a file of refs may not stand there: it has git show one object in the place of another, or git may find other refs
 * in it than we do. Null when it may.
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
  // Git itself moves them from a file of their own into the packed ones.
  const packed = new Map(replacementsIn('packed-refs', textBefore('packed-refs')));
  const isNew = added.some(
    ([ref, id]) => packed.get(ref) !== id && new Map(replacementsIn(ref, textBefore(ref))).get(ref) !== id,
  );
  return isNew ? REPLACES : null;
}

/** By ref, whose name is the id of what is not shown; null where the file can not be read as git does. */
function replacementsIn(within: string, text: string | null): readonly (readonly [string, string])[] | null {
  if (text === null) return [];
  if (OF_ONE.test(within)) return [[within, text.trim()]];
  const refs = parsePackedRefs(text);
  return refs === null ? null : [...refs].filter(([ref]) => OF_ONE.test(ref));
}
