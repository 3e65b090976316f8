import { UNAVAILABLE_CODES, USAGE_CODES } from '@signalbox/core';
import { REQUEST_CODES } from '@signalbox/server';

const BEGIN = '<!-- error codes: made by apps/cli/src/docs.ts -->';
const END = '<!-- end of error codes -->';

/**
 * `docs/api.md` with its table of error codes as the code declares them.
 *
 * @throws {RangeError} where the page has no markers.
 */
export function withErrorCodes(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new RangeError('docs/api.md has no markers for the table of error codes');
  return `${page.slice(0, begin)}${BEGIN}\n\n${errorCodes()}\n\n${page.slice(end)}`;
}

function errorCodes(): string {
  const meanings = new Map<string, Set<string>>();
  const tables: readonly Readonly<Record<string, string>>[] = [REQUEST_CODES, USAGE_CODES, UNAVAILABLE_CODES];
  for (const table of tables)
    for (const [code, meaning] of Object.entries(table))
      meanings.set(code, (meanings.get(code) ?? new Set()).add(meaning));
  const rows = [...meanings]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, texts]) => [`\`${code}\``, [...texts].join('; ')] as const);
  const width = Math.max(...rows.map(([code]) => code.length));
  const widest = Math.max(...rows.map(([, text]) => text.length));
  const row = (code: string, text: string): string => `| ${code.padEnd(width)} | ${text.padEnd(widest)} |`;
  return [
    row('Code', 'Meaning'),
    `| ${'-'.repeat(width)} | ${'-'.repeat(widest)} |`,
    ...rows.map(([code, text]) => row(code, text)),
  ].join('\n');
}
