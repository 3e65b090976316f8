import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings, WorkspaceLines } from '@signalbox/core';
import { projectText, scriptOf, tomlKeys } from './project-text.ts';
import { reportOf } from './report-of.ts';

/** Files that show how a workspace is tested, and with which line; the first match counts. */
const TESTS: readonly Rule[] = [
  [named('Cargo.toml'), 'cargo test'],
  [named('go.mod'), 'go test ./...'],
  [named('mix.exs'), 'mix test'],
  [named('pytest.ini', 'pyproject.toml', 'tox.ini'), 'pytest'],
  [named('deno.json', 'deno.jsonc'), 'deno test'],
  [named('gradlew'), './gradlew test'],
  [named('pom.xml'), 'mvn test'],
  [withText('Makefile', /^test\s*:/m), 'make test'],
];

/** Likewise for its linter: those with settings of their own come before those that every project of a language has. */
const LINT: readonly Rule[] = [
  [named('biome.json', 'biome.jsonc'), 'npx --no-install biome check'],
  [
    matching(/^(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:json|ya?ml|c?js))?)$/),
    'npx --no-install eslint .',
  ],
  [named('.oxlintrc.json'), 'npx --no-install oxlint'],
  [either(named('ruff.toml', '.ruff.toml'), withTable('tool.ruff')), 'ruff check'],
  [
    either(named('.flake8'), withText('setup.cfg', /^\[flake8\]/m), withText('tox.ini', /^\[flake8\]/m)),
    'flake8',
  ],
  [either(named('mypy.ini', '.mypy.ini'), withTable('tool.mypy')), 'mypy .'],
  [matching(/^\.golangci\.(?:ya?ml|toml|json)$/), 'golangci-lint run'],
  [named('go.mod'), 'go vet ./...'],
  [named('Cargo.toml'), 'cargo clippy'],
  [named('deno.json', 'deno.jsonc'), 'deno lint'],
  [withText('Makefile', /^lint\s*:/m), 'make lint'],
];

/** Whether a workspace has what the rule looks for. */
type Sign = (workspace: string, names: ReadonlySet<string>) => boolean;
type Rule = readonly [Sign, line: string];

/**
 * The shell lines that test and lint a workspace: from its settings, otherwise from the files of the folder where they
 * start. A program of the test line
 * that can also write a report is told to, unless somebody else wrote the line.
 */
export function findLines(
  workspace: string,
  settings: Pick<Settings, 'tests' | 'lint'> &
    Readonly<{ sandbox?: Pick<Settings['sandbox'], 'working_dir'> }>,
): WorkspaceLines {
  const workingDir = settings.sandbox?.working_dir ?? undefined;
  const folder = join(workspace, workingDir ?? '');
  const names = namesIn(folder);
  const found = {
    tests: scriptLine(folder, { name: 'test', line: 'npm test' }) ?? lineBy(TESTS, folder, { names }),
    lint: scriptLine(folder, { name: 'lint', line: 'npm run lint' }) ?? lineBy(LINT, folder, { names }),
  };
  const tests = settings.tests ?? found.tests;
  // `signalbox init` writes the found line into the settings.
  const isFound = tests !== null && tests === found.tests;
  return {
    tests,
    lint: settings.lint ?? found.lint,
    testsReport: isFound ? reportOf(tests, folder, { names }) : undefined,
    ...(workingDir === undefined ? {} : { workingDir }),
  };
}

function lineBy(
  rules: readonly Rule[],
  workspace: string,
  { names }: Readonly<{ names: ReadonlySet<string> }>,
): string | null {
  return rules.find(([applies]) => applies(workspace, names))?.[1] ?? null;
}

function named(...wanted: readonly string[]): Sign {
  return (_workspace, names) => wanted.some((name) => names.has(name));
}

function matching(pattern: RegExp): Sign {
  return (_workspace, names) => [...names].some((name) => pattern.test(name));
}

function withText(name: string, pattern: RegExp): Sign {
  return (workspace, names) => names.has(name) && pattern.test(projectText(workspace, name) ?? '');
}

function withTable(path: string): Sign {
  return (workspace, names) =>
    names.has('pyproject.toml') && tomlKeys(projectText(workspace, 'pyproject.toml') ?? '').has(path);
}

function either(...signs: readonly Sign[]): Sign {
  return (workspace, names) => signs.some((sign) => sign(workspace, names));
}

function namesIn(workspace: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(workspace));
  } catch {
    return new Set();
  }
}

/** The placeholder that `npm init` writes is not a test. */
function scriptLine(
  workspace: string,
  { name, line }: Readonly<{ name: string; line: string }>,
): string | null {
  const script = scriptOf(workspace, name);
  return script === null || script.includes('no test specified') ? null : line;
}
