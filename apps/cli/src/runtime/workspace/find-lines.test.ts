import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { WorkspaceLines } from '@signalbox/core';
import { expect, test } from 'vitest';
import { findLines } from './find-lines.ts';

const UNSET = { tests: null, lint: null };

function linesIn(
  files: Readonly<Record<string, string>>,
  { settings = UNSET }: { settings?: Parameters<typeof findLines>[1] } = {},
): WorkspaceLines {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return findLines(folder, settings);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const script = (scripts: Readonly<Record<string, string>>) => ({
  'package.json': JSON.stringify({ scripts }),
});

test.each<[Readonly<Record<string, string>>, string | null]>([
  [{}, null],
  [script({ lint: 'eslint src' }), 'npm run lint'],
  [{ 'biome.json': '{}' }, 'npx --no-install biome check'],
  [{ 'eslint.config.mjs': '' }, 'npx --no-install eslint .'],
  [{ '.eslintrc.json': '{}' }, 'npx --no-install eslint .'],
  [{ '.oxlintrc.json': '{}' }, 'npx --no-install oxlint'],
  [{ 'pyproject.toml': '[tool.ruff]\nline-length = 100\n' }, 'ruff check'],
  [{ 'pyproject.toml': '[tool.ruff.lint]\nselect = ["E"]\n' }, 'ruff check'],
  [{ '.ruff.toml': '' }, 'ruff check'],
  [{ 'setup.cfg': '[metadata]\n[flake8]\n' }, 'flake8'],
  [{ 'pyproject.toml': '[tool.mypy]\nstrict = true\n' }, 'mypy .'],
  [{ 'pyproject.toml': '[project]\nname = "tool.ruff"\n' }, null],
  [{ 'pyproject.toml': '[tool.ruff' }, null],
  [{ '.golangci.yml': '', 'go.mod': '' }, 'golangci-lint run'],
  [{ 'go.mod': '' }, 'go vet ./...'],
  [{ 'Cargo.toml': '' }, 'cargo clippy'],
  [{ 'deno.json': '{}' }, 'deno lint'],
  [{ Makefile: 'lint:\n\t@true\n' }, 'make lint'],
])('the lint line of %j is %j', (files, lint) => {
  expect(linesIn(files).lint).toBe(lint);
});

test.each<[Readonly<Record<string, string>>, string | null]>([
  [script({ test: 'vitest run' }), 'npm test'],
  [script({ test: 'echo "Error: no test specified" && exit 1' }), null],
  [{ 'pyproject.toml': '' }, 'pytest'],
  [{ 'deno.jsonc': '{}' }, 'deno test'],
  [{ gradlew: '' }, './gradlew test'],
  [{ 'pom.xml': '' }, 'mvn test'],
  [{ Makefile: 'test:\n\t@true\n' }, 'make test'],
])('the test line of %j is %j', (files, tests) => {
  expect(linesIn(files).tests).toBe(tests);
});

const VITEST = {
  flags: '-- --reporter=default --reporter=json --outputFile.json=/tmp/signalbox-report',
  env: {},
};

test.each<[string, Readonly<Record<string, string>>, unknown]>([
  ['vitest', script({ test: 'vitest run' }), VITEST],
  ['jest', script({ test: 'jest --ci' }), { flags: '-- --json --outputFile=/tmp/signalbox-report', env: {} }],
  [
    'Node.js',
    script({ test: 'node --test' }),
    { flags: expect.stringContaining('--test-reporter=spec') as unknown, env: {} },
  ],
  [
    'pytest',
    { 'pyproject.toml': '' },
    { flags: '', env: { PYTEST_ADDOPTS: '--junitxml=/tmp/signalbox-report -o junit_family=xunit1' } },
  ],
  ['deno', { 'deno.json': '{}' }, { flags: '--junit-path=/tmp/signalbox-report', env: {} }],
])('%s is told to write a report too (M6)', (_name, files, report) => {
  expect(linesIn(files).testsReport).toEqual(report);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['a script of several commands', script({ test: 'vitest run && tsc' })],
  ['a script with a reporter', script({ test: 'vitest run --reporter=dot' })],
  ['settings with reporters', { ...script({ test: 'vitest' }), 'vitest.config.ts': 'reporters: ["dot"]' }],
  ['settings of jest with reporters', { ...script({ test: 'jest' }), 'jest.config.js': 'reporters: []' }],
  ['files after --test', script({ test: 'node --test test/' })],
  ['settings of pytest with a report', { 'pytest.ini': '[pytest]\naddopts = --junitxml=out.xml\n' }],
  ['another runner', script({ test: 'tap' })],
])('%s stays as it is (M6)', (_name, files) => {
  expect(linesIn(files).testsReport).toBeUndefined();
});

test('a line of the settings stays as it is, unless it is the one that init wrote (M6)', () => {
  const files = script({ test: 'vitest run' });
  expect(linesIn(files, { settings: { tests: 'npx vitest run', lint: null } })).toEqual({
    tests: 'npx vitest run',
    lint: null,
    testsReport: undefined,
  });
  expect(linesIn(files, { settings: { tests: 'npm test', lint: null } }).testsReport).toEqual(VITEST);
});
