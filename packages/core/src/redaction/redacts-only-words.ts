import type { Json } from '../json.ts';

const MARK = /\[redacted:[a-z0-9-]{1,40}\]/;
/** What separates words or commands for a shell, and what nobody sees. */
const SEPARATOR = /[\s\p{C}"'`;&|<>(){}$\\]/u;
/** Parts of emoji; a redactor removes them from long lines. */
const JOINERS = /\u200D|\uFE0F/g;

/**
 * Whether each mark of a redacted call stands for one word, and nothing else is missing. Otherwise it may hide a part
 * that runs, such as `git push` behind `-----BEGIN PRIVATE KEY-----`, from whoever judges the redacted call.
 *
 * In doubt false. Takes linear time.
 */
export function redactsOnlyWords(original: Json, redacted: Json): boolean {
  if (typeof original === 'string') {
    return typeof redacted === 'string' && (original === redacted || hasOnlyWords(original, redacted));
  }
  if (original === null || typeof original !== 'object') return original === redacted;
  if (redacted === null || typeof redacted !== 'object') return false;
  const [entries, shown] = [Object.entries(original), Object.entries(redacted)];
  // Two keys with the same mark are one key: the value of the first is gone.
  if (entries.length !== shown.length) return false;
  return entries.every(([key, value], at) => {
    const [shownKey = '', shownValue = null] = shown[at] ?? [];
    return redactsOnlyWords(key, shownKey) && redactsOnlyWords(value, shownValue);
  });
}

/** Fills each mark with the text up to the next part that is shown. */
function hasOnlyWords(original: string, redacted: string): boolean {
  const text = original.replaceAll(JOINERS, '');
  const [first = '', ...rest] = redacted.replaceAll(JOINERS, '').split(MARK);
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const [at, part] of rest.entries()) {
    const isLast = at === rest.length - 1;
    const found = isLast ? text.length - part.length : text.indexOf(part, position);
    if (found < position || !text.startsWith(part, found)) return false;
    if (SEPARATOR.test(text.slice(position, found))) return false;
    position = found + part.length;
  }
  return position === text.length;
}
