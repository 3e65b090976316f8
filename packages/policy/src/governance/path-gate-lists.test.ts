import type { Effect } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { fixedDirectory } from './path-gate.ts';
import { onTree, pathRule } from './testing/path-probes.ts';
import { BASH, policyOf, READ_FILE, read } from './testing/question-builders.ts';

describe('what may be read of a folder', () => {
  const listed = policyOf({ tools: { file: { allow_read: ['src/**'] } } });

  test.for([
    ['the whole workspace', onTree('read', '.'), 'passes'],
    ['a folder in the list', onTree('read', 'src'), 'passes'],
    ['a folder with nothing of the list in it', onTree('read', 'docs'), 'path-not-listed'],
    ['a file of another folder', read('docs/a.md'), 'path-not-listed'],
    ['a pattern below the list', onTree('read', 'src/*.ts', { scope: 'glob' }), 'passes'],
    ['a pattern beside it', onTree('read', 'docs/*.md', { scope: 'glob' }), 'path-not-listed'],
  ] as const)('with allow_read: %s', ([, effect, rule]) => {
    expect(pathRule(listed, effect, { tool: BASH })).toBe(rule);
    expect(pathRule(listed, effect, { tool: READ_FILE, sandboxed: false })).toBe(rule);
  });

  test('without a sandbox a line would see more than is listed', () => {
    expect(pathRule(listed, onTree('read', '.'), { tool: BASH, sandboxed: false })).toBe('path-not-listed');
  });

  test('a secret named by a pattern may be any of its files, one named by itself is that file', () => {
    const of = (path: string): string =>
      pathRule(policyOf(), { kind: 'secret', path }, { tool: BASH, sandboxed: false });
    expect(of('keys/*.key')).toBe('unclear-paths-ask');
    expect(of('keys/[ab].key')).toBe('unclear-paths-ask');
    expect(of('keys/a.key')).toBe('passes');
  });
});

test('a pattern begins in the folder before its first wildcard', () => {
  const context = { workspace: '/home/ana/shop', home: '/home/ana' };
  const begins = (path: string): string =>
    fixedDirectory({ kind: 'inside', path, absolute: `/home/ana/shop/${path}` }, context).path;
  expect(['src/a/*.ts', 'src/**', 'a/{b,c}/d', '*.ts', 'src/a.ts', 'a/b(1)/c'].map(begins)).toEqual([
    'src/a',
    'src',
    'a',
    '.',
    'src/a.ts',
    'a',
  ]);
});

test('effects that name no path are not for the lists of paths; unknown writes are, unless all may be written', () => {
  const strict = policyOf({
    sandbox: { allowed_paths: ['src/**'] },
    tools: { bash: { allowed_paths: ['**'] } },
  });
  const none: readonly Effect[] = [
    { kind: 'network', host: 'x.example' },
    { kind: 'process', program: 'x' },
    { kind: 'privilege', program: 'sudo' },
    { kind: 'repository-code' },
    { kind: 'resource', resource: 'git:index', access: 'write' },
  ];
  expect(none.map((effect) => pathRule(strict, effect, { tool: BASH }))).toEqual(none.map(() => 'passes'));
  expect(pathRule(strict, { kind: 'write-unknown' }, { tool: BASH })).toBe('unclear-paths-ask');
  expect(pathRule(policyOf(), { kind: 'write-unknown' }, { tool: BASH })).toBe('passes');
  // In a transaction the lists of write_file are checked for each file that was really written.
  const files = policyOf({ tools: { write_file: { forbidden_paths: ['gen/**'] } } });
  expect(pathRule(files, { kind: 'write-unknown' }, { tool: BASH })).toBe('unclear-paths-ask');
  expect(pathRule(files, { kind: 'write-unknown' }, { tool: BASH, reversible: true })).toBe('passes');
});

test('hidden from everybody: what is outside or protected, and for readers what deny_read lists', () => {
  const { isDenied } = policyOf({ tools: { file: { deny_read: ['keys/**'] } } });
  const denied = (path: string) => [isDenied(path, 'read'), isDenied(path, 'write')];
  expect(['keys/a', 'src/a.ts', '../x', '.signalbox/state.db'].map(denied)).toEqual([
    [true, false],
    [false, false],
    [true, true],
    [true, true],
  ]);
});
