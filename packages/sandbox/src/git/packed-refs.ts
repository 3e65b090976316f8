/** Git takes any blank after an id; it writes one space, and ids in small letters. */
const ROW = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (refs\/[^\s\u007f]+)$/;
/** What the tag in the row above points to. */
const PEELED = /^\^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/**
 * The refs of a file `packed-refs` with their ids; null unless it is as git writes it: a header at most, then a row each,
 * sorted by name. In any other file git may find refs, or miss some, that are not read here.
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
