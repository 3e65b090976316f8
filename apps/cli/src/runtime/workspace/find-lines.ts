import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@signalbox/core';

export type FoundLines = { readonly tests: string | null; readonly lint: string | null };

/** Files that show how a workspace is tested; the first match counts. */
const TESTS: readonly (readonly [string, string])[] = [
  ['Cargo.toml', 'cargo test'],
  ['go.mod', 'go test ./...'],
  ['mix.exs', 'mix test'],
  ['pytest.ini', 'pytest'],
  ['pyproject.toml', 'pytest'],
  ['tox.ini', 'pytest'],
];

/** The shell lines that test and lint a workspace: from its settings, otherwise from its files. */
export function findLines(workspace: string, settings: Pick<Settings, 'tests' | 'lint'>): FoundLines {
  return {
    tests:
      settings.tests ?? scriptLine(workspace, { name: 'test', line: 'npm test' }) ?? fromFiles(workspace),
    lint: settings.lint ?? scriptLine(workspace, { name: 'lint', line: 'npm run lint' }),
  };
}

function fromFiles(workspace: string): string | null {
  return TESTS.find(([file]) => existsSync(join(workspace, file)))?.[1] ?? makeTest(workspace);
}

function makeTest(workspace: string): string | null {
  const file = join(workspace, 'Makefile');
  return existsSync(file) && /^test\s*:/m.test(readFileSync(file, 'utf8')) ? 'make test' : null;
}

/** The placeholder that `npm init` writes is not a test. */
function scriptLine(
  workspace: string,
  { name, line }: Readonly<{ name: string; line: string }>,
): string | null {
  const file = join(workspace, 'package.json');
  if (!existsSync(file)) return null;
  try {
    const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, unknown> };
    const script = scripts?.[name];
    return typeof script === 'string' && !script.includes('no test specified') ? line : null;
  } catch {
    return null;
  }
}
