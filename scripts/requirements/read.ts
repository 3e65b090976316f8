import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseRequirements, type Requirements } from './data.ts';
import { type Mark, marksIn } from './marks.ts';

export const ROOT = dirname(dirname(import.meta.dirname));

const FOLDERS = ['apps', 'packages', 'scripts'];
/** Tests, and contracts that the tests of several implementations run. */
const TEST_FILE = /(?:\.test\.tsx?|-contract\.ts)$/;
const IGNORED: ReadonlySet<string> = new Set(['node_modules', 'dist', 'toolchain']);

export function readRequirements(): Requirements {
  return parseRequirements(readFileSync(join(ROOT, 'docs/internals/requirements.yaml'), 'utf8'));
}

/** The marks of all test files of the repository, in the order of their paths. */
export function readMarks(): readonly Mark[] {
  return [...readdirSync(ROOT), ...FOLDERS.flatMap(filesBelow)]
    .filter((path) => TEST_FILE.test(path))
    .toSorted()
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      // A parse takes longer than a search for what every id has.
      return /[SXUL]\d*-\d/.test(text) ? marksIn({ path, text }) : [];
    });
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return IGNORED.has(entry.name) ? [] : filesBelow(path);
  });
}
