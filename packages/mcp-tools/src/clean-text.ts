import { withoutHidden } from '@signalbox/core/visible-text';

/** Terminal control sequences, which begin with ESC or its 8-bit form. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const TERMINAL = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/gu;
/**
 * Makes a server's text safe to show to people and models: without terminal control, bidirectional and
 * invisible characters.
 *
 * @param most Upper bound in characters; longer text is cut and marked.
 */
export function cleanText(text: string, most: number): string {
  // Text far over the bound isn't scanned.
  const sane = text
    .slice(0, 2 * most)
    .replaceAll(TERMINAL, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
  const clean = withoutHidden(sane);
  const isCut = clean.length > most || text.length > 2 * most;
  return isCut ? `${clean.slice(0, most).toWellFormed()}… [cut]` : clean.toWellFormed();
}

/** Cleans every text in a value, including keys. */
export function cleanJson(value: unknown, most: number): unknown {
  if (typeof value === 'string') return cleanText(value, most);
  if (Array.isArray(value)) return value.map((part) => cleanJson(part, most));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [cleanText(key, most), cleanJson(part, most)]),
  );
}
