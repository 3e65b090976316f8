import { expect, test } from 'vitest';
import { classifyLine } from '@signalbox/policy';
import type { Effect, Tool } from '@signalbox/core';
import { namedPaths } from './named-paths.ts';

const SHELL = { shellLine: () => ({ line: '' }) } as unknown as Pick<Tool, 'shellLine'>;
const OTHER = {} as Pick<Tool, 'shellLine'>;

function ofLine(line: string): readonly string[] {
  const verdict = classifyLine(line, { cwd: '/w', workspace: '/w', ownFolders: [], firstLineOf: undefined });
  return namedPaths({ tool: SHELL, line }, verdict);
}

function ofEffects(...effects: Effect[]): readonly string[] {
  return namedPaths({ tool: OTHER, line: null }, { effects });
}

test.each([
  ['cat src/crt.ts', ['src/crt.ts']],
  ['head -n 20 src/a.ts src/b.ts', ['src/a.ts', 'src/b.ts']],
  ['cd web && cat src/app.ts', ['web/src/app.ts']],
  ['wc -l src/a.ts | sort', ['src/a.ts']],
  ['python3 tools/migrat.py --apply', ['tools/migrat.py']],
])('%s must find its files', (line, paths) => {
  expect(ofLine(line)).toEqual(paths);
});

test.each([
  'ls src/maybe',
  'test -f src/maybe.ts && cat src/maybe.ts',
  'cat src/maybe.ts || true',
  'cat src/maybe.ts 2>/dev/null',
  'rm -rf dist old/thing',
  'if [ -e a/b.ts ]; then cat a/b.ts; fi',
  'find src -name x.ts',
  'git log -- src/deleted.ts',
  'make gen && cat out.d/result.txt',
  'npm run build && node web/main.js',
  'cat README.md package.json pyproject.toml',
  'cat dist/index.js node_modules/a/package.json',
  'cat .env.local .github/workflows/ci.yml',
  'cat /etc/os-release ~/.bashrc',
  'cat src/*.ts',
  'nano notes/plan.txt',
  'sqlite3 data/app.db .tables',
  'ln -s src/later.ts link.ts',
  `emacs --batch --eval '(shell-command "make x.y")'`,
  "jq -n 'input_filename'",
  'cat "$FILE"',
  'echo hello > notes/new.txt && cat notes/new.txt',
  'touch notes/new.txt && cat notes/new.txt',
])('%s may name what does not exist', (line) => {
  expect(ofLine(line)).toEqual([]);
});

test('a tool reads and deletes what exists, and writes what need not', () => {
  expect(
    ofEffects(
      { kind: 'read', path: 'src/a.ts', scope: 'file' },
      { kind: 'delete', path: 'src/b.ts', scope: 'file' },
      { kind: 'write', path: 'src/c.ts', scope: 'file' },
      { kind: 'read', path: 'src/c.ts', scope: 'file' },
      { kind: 'read', path: '.', scope: 'tree' },
    ),
  ).toEqual(['src/a.ts', 'src/b.ts']);
});

test('at most ten paths of a call are looked up', () => {
  const effects = Array.from({ length: 40 }, (_, at): Effect => ({
    kind: 'read',
    path: `src/${at}.ts`,
    scope: 'file',
  }));
  expect(ofEffects(...effects)).toHaveLength(10);
});
