/**
 * Finds the first `most` occurrences of a text in another, or of a list of lines in another; they may overlap.
 * Takes linear time (Knuth, Morris, Pratt): the built-in search is quadratic for texts a model can craft, and
 * would block the process.
 *
 * @param wanted Must not be empty.
 */
export function placesOf<Text extends string | readonly string[]>(
  text: Text,
  wanted: Text,
  { most = Number.POSITIVE_INFINITY, mayOverlap = true } = {},
): readonly number[] {
  const shorter = borders(wanted);
  const places: number[] = [];
  let fits = 0;
  for (let at = 0; at < text.length && places.length < most; at++) {
    while (fits > 0 && text[at] !== wanted[fits]) fits = shorter[fits - 1] ?? 0;
    if (text[at] === wanted[fits]) fits += 1;
    if (fits < wanted.length) continue;
    places.push(at - fits + 1);
    fits = mayOverlap ? (shorter[fits - 1] ?? 0) : 0;
  }
  return places;
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function borders(wanted: string | readonly string[]): Int32Array {
  const lengths = new Int32Array(wanted.length);
  let fits = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (fits > 0 && wanted[at] !== wanted[fits]) fits = lengths[fits - 1] ?? 0;
    if (wanted[at] === wanted[fits]) fits += 1;
    lengths[at] = fits;
  }
  return lengths;
}
