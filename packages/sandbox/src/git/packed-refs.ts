/** Git accepts any blank after an id, but writes one space and lower-case ids. */
const ROW = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (refs\/[^\s\u007f]+)$/;
/** The peeled target of the tag in the previous row. */
const PEELED = /^\^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * Parses a `packed-refs` file; null unless it is in the format git writes: an optional header, then one row per
 * ref, sorted by name. In any other file git may see different refs than we do.
 *
 * @param text Its bytes, one character each (`latin1`).
 */
export function parsePackedRefs(text: string): ReadonlyMap<string, string> | null {
  const refs = new Map<string, string>();
  if (text === '') return refs;
  const [header = '', ...rows] = text.split('\n');
  if (rows.pop() !== '') return null;
  if (!header.startsWith('#')) rows.unshift(header);
  let last = '';
  let isPeelable = false;
  for (const row of rows) {
    if (isPeelable && PEELED.test(row)) {
      isPeelable = false;
      continue;
    }
    const [, id, name] = ROW.exec(row) ?? [];
    if (id === undefined || name === undefined || name <= last) return null;
    refs.set(Buffer.from(name, 'latin1').toString(), id);
    last = name;
    isPeelable = true;
  }
  return refs;
}
