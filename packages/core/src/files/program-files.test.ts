import { describe, expect, test } from 'vitest';
import { isInPackages, programFileAt, programFilesBelow } from './program-files.ts';

const NAMED = {
  byGit: ['tools/hooks', 'tools/clean.sh'],
  byPerson: ['tools/hook.cjs'],
  byConnect: ['.gemini/settings.json'],
};
const gradeAt = (path: string): string => programFileAt(path, NAMED)?.grade ?? 'plain';
const gradeBelow = (folder: string): string => programFilesBelow(folder, NAMED)?.grade ?? 'plain';

describe("files that the user's programs read", () => {
  test.for([
    ['dangerous', '.claude', '.CLAUDE/settings.json', 'web/.mcp.json', 'opencode.jsonc', 'x.code-workspace'],
    [
      'dangerous',
      '.vscode/mcp.json',
      '.husky/_/pre-commit',
      '.lefthook-local.yaml',
      '.agents/skills/a/SKILL.md',
      'tools/hooks/a',
      'tools/clean.sh',
      'tools/hook.cjs',
      'web/.signalbox',
      'web/.SIGNALBOX/redis.json',
    ],
    ['refused', '.gemini/settings.json'],
    [
      'asks',
      'claude.md',
      'docs/AGENTS.md',
      '.github/actions/a/action.yml',
      '.github/hooks/a.json',
      'rust-toolchain.toml',
      '.yarnrc',
      '.pnpmfile.mjs',
      '.cargo/config',
    ],
    ['asks', 'a/node_modules/.bin/tsc', '.venv/lib/python3/site-packages/x.pth', 'conftest.py'],
    [
      'plain',
      'claude/settings.json',
      '.vscode/extensions.json',
      '.github/CODEOWNERS',
      'AGENTS.md.txt',
      '.git/config',
      '.signalbox/local.yaml',
    ],
    [
      'plain',
      'node_modules/p/.vscode/settings.json',
      'a/.venv/x/conftest.py',
      'tools/clean.sh.md',
      '.npmrc.bak',
    ],
  ] as const)('%s', ([grade, ...paths]) => {
    expect(paths.map((path) => [path, gradeAt(path)])).toEqual(paths.map((path) => [path, grade]));
  });

  test('a folder counts as the strictest file that it may contain', () => {
    expect(['.gemini', '.vscode', 'a/.github', 'tools', '.', 'src'].map(gradeBelow)).toEqual([
      'refused',
      'dangerous',
      'asks',
      'dangerous',
      'refused',
      'plain',
    ]);
  });
});

test('installed packages are recognised by their folder', () => {
  expect(['node_modules/a', 'a/.venv', 'src/venv.ts'].map(isInPackages)).toEqual([true, true, false]);
});
