import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** More would run for minutes, and the next change ends them. */
const MAX_FILES = 10;

/** A quoted path, in an import or a `new URL`. */
const RELATIVE = /'(?<specifier>\.\.?\/[^'\n]+)'/g;

export type TestFiles = Readonly<{
  /** At most ten, the nearest importers first. */
  run: readonly string[];
  /** How many more test files import what changed. */
  left: number;
}>;

/**
 * The test files that import a changed file, directly or through others of its package.
 *
 * Tests of other packages are left out: half of all tests import each file of `core` in some way.
 *
 * @param changed Paths relative to `root`, with `/`.
 */
export function testsOf(root: string, changed: readonly string[]): TestFiles {
  const importers = importersIn(root, new Set(changed.map(packageOf)));
  const found = new Set(changed);
  // A set that grows while it is read: nearest first.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  const tests = [...found].filter((path) => /\.test\.tsx?$/.test(path) && importers.has(path));
  return { run: tests.slice(0, MAX_FILES), left: Math.max(0, tests.length - MAX_FILES) };
}

/** `packages/core/src`, `scripts` */
function packageOf(path: string): string {
  const [top = '', name = ''] = path.split('/');
  return top === 'scripts' ? top : `${top}/${name}/src`;
}

/** Every source file of these packages, and the files that import it. */
function importersIn(root: string, folders: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  const patterns = [...folders].map((folder) => `${folder}/**/*.{ts,tsx}`);
  for (const path of globSync(patterns, { cwd: root })) {
    if (!importers.has(path)) importers.set(path, []);
    const text = readFileSync(join(root, path), 'utf8');
    for (const { index, groups } of text.matchAll(RELATIVE)) {
      if (isOfTypes(text, index)) continue;
      const target = posix.join(posix.dirname(path), groups?.['specifier'] ?? '');
      const known = importers.get(target);
      if (known === undefined) importers.set(target, [path]);
      else known.push(path);
    }
  }
  return importers;
}

/** Types are erased, so tests don't depend on them. */
function isOfTypes(text: string, index: number): boolean {
  const statement = text.slice(text.lastIndexOf(';', index) + 1, index);
  return /^\s*(?:import|export) type /.test(statement);
}
