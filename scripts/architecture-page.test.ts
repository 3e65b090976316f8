import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRules } from '../architecture.ts';

const page = readFileSync('ARCHITECTURE.md', 'utf8');

test('the table of ARCHITECTURE.md has the packages, layers and imports of architecture.ts', () => {
  const shortNames = (folders: readonly string[]): string =>
    folders.length === 0 ? 'nothing' : folders.map((folder) => folder.split('/').at(-1)).join(', ');
  const rows = Object.fromEntries(
    rowsOf(page).map(([folder, layer, imports]) => [folder, { layer, imports }]),
  );
  const expected = Object.fromEntries(
    Object.entries(packageRules).map(([folder, { layer, mayImport }]) => [
      `\`${folder}\``,
      { layer, imports: shortNames(mayImport) },
    ]),
  );
  expect(rows).toEqual(expected);
});

test('packages marked "to come" in ARCHITECTURE.md are unused, and all others exist', () => {
  const standing = Object.keys(packageRules).filter((folder) => existsSync(join(folder, 'package.json')));
  const used = new Set(standing.flatMap(dependenciesOf));
  const rows = rowsOf(page).map(([cell = '', , , what]) => ({ folder: cell.replaceAll('`', ''), what }));
  const wrong = rows.filter(({ folder, what }) =>
    what === 'to come' ? used.has(packageRules[folder]?.name ?? '') : !standing.includes(folder),
  );
  expect(wrong).toEqual([]);
});

function dependenciesOf(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(manifest.dependencies ?? {});
}

/** Rows of the table whose first cell is a folder of the repository. */
function rowsOf(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => /^\| `(?:packages|apps)\/[a-z-]+` +\|/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}
