import { withoutHidden } from '@signalbox/core/visible-text';

/** Sequences that steer a terminal: they begin with ESC or its eight-bit form. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const TERMINAL = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/gu;
/**
 * Text of a server as people and models may read it: without what steers a terminal, turns text round or hides in it.
 *
 * @param most characters; what is longer is cut, and says so.
 */
export function cleanText(text: string, most: number): string {
  // What is far over the bound is not even looked at.
  const sane = text
    .slice(0, 2 * most)
    .replaceAll(TERMINAL, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
  const clean = withoutHidden(sane);
  const isCut = clean.length > most || text.length > 2 * most;
  return isCut ? `${clean.slice(0, most).toWellFormed()}… [cut]` : clean.toWellFormed();
}

/** The same of every text in a value, keys too. */
export function cleanJson(value: unknown, most: number): unknown {
  if (typeof value === 'string') return cleanText(value, most);
  if (Array.isArray(value)) return value.map((part) => cleanJson(part, most));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [cleanText(key, most), cleanJson(part, most)]),
  );
}
