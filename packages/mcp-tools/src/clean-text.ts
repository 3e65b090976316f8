import { withoutHidden } from '@signalbox/core/visible-text';

/** Terminal control sequences, which begin with ESC or its 8-bit form. */
// oxlint-disable-next-line no-control-regex -- these are what is taken out
const TERMINAL = /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?/gu;
/**
 * Makes a server's text safe to show to people and models: without terminal control, bidirectional and
 * invisible characters.
 *
 * @param max Upper bound in characters; longer text is cut and marked.
 */
export function cleanText(text: string, max: number): string {
  // Text far over the bound isn't scanned.
  const sane = text
    .slice(0, 2 * max)
    .replaceAll(TERMINAL, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n');
  const clean = withoutHidden(sane);
  const isCut = clean.length > max || text.length > 2 * max;
  return isCut ? `${clean.slice(0, max).toWellFormed()}… [cut]` : clean.toWellFormed();
}

/** Cleans every text in a value, including keys. */
export function cleanJson(value: unknown, max: number): unknown {
  if (typeof value === 'string') return cleanText(value, max);
  if (Array.isArray(value)) return value.map((part) => cleanJson(part, max));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [cleanText(key, max), cleanJson(part, max)]),
  );
}
