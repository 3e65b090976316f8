import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { house } from '../architecture.ts';

const page = readFileSync('ARCHITECTURE.md', 'utf8');

test('the table of ARCHITECTURE.md has the packages, layers and imports of architecture.ts', () => {
  const shortNames = (folders: readonly string[]): string =>
    folders.length === 0 ? 'nothing' : folders.map((folder) => folder.split('/').at(-1)).join(', ');
  const rows = Object.fromEntries(
    rowsOf(page).map(([folder, layer, imports]) => [folder, { layer, imports }]),
  );
  const expected = Object.fromEntries(
    Object.entries(house).map(([folder, { layer, mayImport }]) => [
      `\`${folder}\``,
      { layer, imports: shortNames(mayImport) },
    ]),
  );
  expect(rows).toEqual(expected);
});

test('a package that ARCHITECTURE.md calls "to come" does not stand yet, and every other one does', () => {
  const claimed = rowsOf(page).map(([folder = '', , , what]) => [folder, what !== 'to come']);
  const standing = claimed.map(([folder]) => [folder, existsSync(String(folder).replaceAll('`', ''))]);
  expect(claimed).toEqual(standing);
});

/** Rows of the table that begins with a folder of the house. */
function rowsOf(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => /^\| `(?:packages|apps)\/[a-z]+` +\|/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}
