const OF_ONE = /^refs\/replace\//i;
const OF_ALL = /^[0-9a-f]+ refs\/replace\/\S+$/gim;

export const REPLACES = 'it shows other content in the place of what commits hold (git replace)';

/** Whether refs may stand there that have git show one object in the place of another. */
export function mayReplace(within: string): boolean {
  return within === 'packed-refs' || OF_ONE.test(within);
}

/**
 * Such refs in a file of a git folder, as in `packed-refs`: what is shown, then the ref, whose name is that of the other.
 *
 * @param text Its content; null where there is none.
 */
export function replacementsIn(within: string, text: string | null): readonly string[] {
  if (text === null) return [];
  return OF_ONE.test(within) ? [`${text.trim()} ${within}`] : (text.match(OF_ALL) ?? []);
}
