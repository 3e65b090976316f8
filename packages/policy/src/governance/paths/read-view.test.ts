import { expect, test } from 'vitest';
import { onTree, pathRule } from '../testing/path-probes.ts';
import { BASH, policyOf, READ_FILE } from '../testing/question-builders.ts';

const viewOf = (...allow_read: readonly string[]) => policyOf({ tools: { file: { allow_read } } }).readView;

test('without tools.file.allow_read there is no view: everything that is not denied may be read', () => {
  expect(policyOf().readView).toBeNull();
});

test.for([
  [['src'], 'src', 'all'],
  [['src'], 'src/a', 'all'],
  [['src'], '.', 'some'],
  [['src'], 'docs', 'none'],
  [['src/a.ts'], 'src', 'some'],
  [['src/a.ts'], 'srcx', 'none'],
  [['src/**'], 'src', 'all'],
  [['**'], 'any/where', 'all'],
  [['src/*.ts'], 'src', 'some'],
  [['src/*.ts'], '.', 'some'],
  [['src/*.ts'], 'src/deep', 'none'],
  [['src/*.ts'], 'src/a.ts', 'none'],
  [['**/*.md'], 'docs/deep', 'some'],
  [['packages/*/src/**'], 'packages/core', 'some'],
  [['packages/*/src/**'], 'apps', 'none'],
  [['/home/ana/shop/lib/*.ts'], 'lib', 'some'],
  [['/home/ana/shop/lib/*.ts'], 'src', 'none'],
  [['src'], '../other', 'none'],
] as const)('allow_read %j makes visible in the folder %s: %s (S001-D1)', ([patterns, folder, shown]) => {
  expect(viewOf(...patterns)?.showsOf(folder)).toBe(shown);
});

test('a file is visible when the list admits it, and never outside the workspace', () => {
  const view = viewOf('src', '*.md');
  const shown = ['src/a.ts', 'README.md', 'docs/a.md', '../src/a.ts'].filter((path) => view?.showsFile(path));
  expect(shown).toEqual(['src/a.ts', 'README.md']);
});

test('a folder with some listed files may be read through the bound view, and by nothing else', () => {
  const policy = policyOf({ tools: { file: { allow_read: ['src/a.ts'] } } });
  const tree = onTree('read', 'src');
  expect(pathRule(policy, tree, { tool: BASH })).toBe('passes');
  expect(pathRule(policy, tree, { tool: BASH, sandboxed: false })).toBe('path-not-listed');
  expect(pathRule(policy, tree, { tool: READ_FILE, sandboxed: false })).toBe('passes');
  expect(pathRule(policy, onTree('read', 'docs'), { tool: BASH })).toBe('path-not-listed');
});
