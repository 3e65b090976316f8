/** Sequences that steer a terminal: they begin with ESC or its eight-bit form. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const TERMINAL = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/gu;
/** Control characters but for line breaks and tabs; what turns text round; what nobody sees but a model reads. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- likewise
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]/gu;

/**
 * Text of a server as people and models may read it: without what steers a terminal, turns text round or hides in it.
 *
 * @param most characters; what is longer is cut, and says so.
 */
export function cleanText(text: string, most: number): string {
  // What is far over the bound is not even looked at.
  const clean = text
    .slice(0, 2 * most)
    .replaceAll(TERMINAL, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll(UNSEEN, '');
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
