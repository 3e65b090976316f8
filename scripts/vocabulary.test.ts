import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BRAND_WORDS, STANDARD_TERMS } from './vocabulary.ts';

const EXPORTED_TYPE =
  /^export (?:declare )?(?:abstract )?(?:type|interface|class) (?<name>[A-Z][A-Za-z0-9]*)/gm;
const VOCABULARY_ROW = /^\| (?<say>[^|]+?) +\|/gm;

test('every word of an exported type name is in the vocabulary of STYLE.md or a standard term of the field', () => {
  const allowed = new Set([...vocabulary(), ...STANDARD_TERMS].map(singular));
  const unknown = exportedTypes().flatMap(({ name, path }) =>
    wordsOf(name)
      .filter((word) => !allowed.has(singular(word)))
      .map((word) => `${path}: ${name} (${word})`),
  );
  expect(unknown).toEqual([]);
});

test('the list of standard terms holds no word that no exported type uses', () => {
  const used = new Set(exportedTypes().flatMap(({ name }) => wordsOf(name).map(singular)));
  expect(STANDARD_TERMS.filter((term) => !used.has(singular(term)))).toEqual([]);
});

test('one file declares an exported type name', () => {
  const paths = Map.groupBy(exportedTypes(), ({ name }) => name);
  const repeated = [...paths].filter(([, found]) => found.length > 1);
  expect(repeated.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(', ')}`)).toEqual([]);
});

test('the railway of the brand is in no name of the code', () => {
  const found = sources().flatMap(({ path, text }) => {
    const names = new Set(withoutTexts(text).match(/[A-Za-z_$][\w$]*/g));
    return [...names]
      .filter((name) => wordsOf(name).some((word) => BRAND_WORDS.includes(word)))
      .map((name) => `${path}: ${name}`);
  });
  expect(found).toEqual([]);
});

/** The words of the first column of STYLE.md’s vocabulary. */
function vocabulary(): readonly string[] {
  const page = readFileSync('STYLE.md', 'utf8');
  const table = page.slice(page.indexOf('## Vocabulary'));
  return [...table.matchAll(VOCABULARY_ROW)].flatMap(
    ({ groups }) => groups?.['say']?.toLowerCase().match(/[a-z]+/g) ?? [],
  );
}

type ExportedType = Readonly<{ name: string; path: string }>;

function exportedTypes(): readonly ExportedType[] {
  return sources().flatMap(({ path, text }) =>
    [...withoutTemplates(text).matchAll(EXPORTED_TYPE)].map(({ groups }) => ({
      name: groups?.['name'] ?? '',
      path,
    })),
  );
}

function sources(): readonly Readonly<{ path: string; text: string }>[] {
  return ['apps', 'packages'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) =>
      readdirSync(join(folder, name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((path) => /\.tsx?$/.test(path))
        .map((path) => join(folder, name, 'src', path))
        .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
    ),
  );
}

/** `CommandRecord` as `command`, `record`; `MCP_TOOLS` as `mcp`, `tools`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .split(/[_$]+/)
    .filter((word) => word !== '');
}

function singular(word: string): string {
  return word.toLowerCase().replace(/(?<=[^su])s$/, '');
}

/** The demo and some tests hold sources of other programs in template strings. */
function withoutTemplates(text: string): string {
  return text.replace(/`(?:[^`\\]|\\[^])*`/g, '``');
}

function withoutTexts(text: string): string {
  return withoutTemplates(text.replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')).replace(
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g,
    "''",
  );
}
