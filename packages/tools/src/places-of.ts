/**
 * Where one text stands in another, or one list of lines in another, the first at most `most` times; places may lie
 * over each other. Linear (Knuth, Morris, Pratt): the search of the language itself takes the product of both lengths
 * where a model makes them so, and everybody waits meanwhile.
 *
 * @param wanted Not empty.
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

/** For each beginning of it, how long its longest beginning is that is its end, too. */
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
