import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPolicy } from '../create-policy.ts';
import { createAllowList, createDenyList, createPathDenial, createPathMatcher } from './path-list.ts';
import { normalised, onTree, pathRule } from '../testing/path-probes.ts';
import {
  BASH,
  policyOf,
  questionOf,
  read,
  READ_FILE,
  settingsOf,
  toolOf,
  write,
} from '../testing/question-builders.ts';

test('a plain path admits itself and everything below, not a longer name (X-08, S003-68)', () => {
  const policy = policyOf({ sandbox: { allowed_paths: ['lib', 'test/', './mix.exs'] } });
  for (const path of ['lib', 'lib/a', 'lib/a/b', 'test/x', 'mix.exs'])
    expect(pathRule(policy, write(path))).toBe('passes');
  for (const path of ['lib-evil/a', 'libx', 'Lib/a', '.', 'other', 'lib/../other']) {
    expect(pathRule(policy, write(path))).toBe('path-not-listed');
    expect(pathRule(policy, read(path))).toBe('path-not-listed');
  }
  expect(pathRule(policy, { kind: 'write-unknown' }, { tool: BASH })).toBe('unclear-paths-ask');
  expect(pathRule(policy, onTree('read', 'lib/a'))).toBe('passes');
  expect(pathRule(policy, onTree('read', '.'))).toBe('path-not-listed');
});

test('deny comes before allow: a path in both is denied (S001-29, S001-28, S000-46)', () => {
  const policy = policyOf({
    tools: {
      file: { deny_read: ['src/private', '**/*.key'], allow_read: ['src'] },
      write_file: { allowed_paths: ['src'], forbidden_paths: ['src/generated/**'] },
    },
  });
  expect(pathRule(policy, read('src/a.ts'), { tool: READ_FILE })).toBe('passes');
  expect(pathRule(policy, read('src/private/a'), { tool: READ_FILE })).toBe('path-forbidden');
  expect(pathRule(policy, read('src/PRIVATE/a'), { tool: READ_FILE })).toBe('path-forbidden');
  expect(pathRule(policy, read('src/x/id.key'), { tool: READ_FILE })).toBe('path-forbidden');
  expect(pathRule(policy, read('docs/a'), { tool: READ_FILE })).toBe('path-not-listed');
  expect(pathRule(policy, write('src/a'))).toBe('passes');
  expect(pathRule(policy, write('src/generated/a'))).toBe('path-forbidden');
  expect(pathRule(policy, write('docs/a'))).toBe('path-not-listed');
  expect(policy.isDenied('src/private/a', 'read')).toBe(true);
  expect(policy.isDenied('src/private/a', 'write')).toBe(false);
  expect(policy.isDenied('docs/a', 'read')).toBe(false);
});

test('both read lists empty: every file of the workspace may be read (S001-32)', () => {
  expect(pathRule(policyOf(), read('any/thing.txt'), { tool: READ_FILE })).toBe('passes');
});

test('$HOME, ~ and absolute patterns mean paths of this machine (S000-45)', () => {
  const policy = policyOf({
    tools: {
      write_file: {
        allowed_paths: ['$HOME/shop/src/**', '~/shop/docs'],
        forbidden_paths: ['/home/*/shop/src/x', '${HOME}/shop/src/y'],
      },
    },
  });
  expect(pathRule(policy, write('src/a'))).toBe('passes');
  expect(pathRule(policy, write('docs/a'))).toBe('passes');
  expect(pathRule(policy, write('lib/a'))).toBe('path-not-listed');
  expect(pathRule(policy, write('src/x/deep'))).toBe('path-forbidden');
  expect(pathRule(policy, write('src/y/deep'))).toBe('path-forbidden');
  const above = policyOf({ tools: { write_file: { forbidden_paths: ['/home/ana'] } } });
  expect(pathRule(above, write('src/a'))).toBe('path-forbidden');
});

test('with an unknown home a deny pattern means any directory, an allow pattern none', () => {
  const value = {
    tools: { write_file: { forbidden_paths: ['$HOME/private/**'], allowed_paths: ['$HOME/src', '.'] } },
  };
  const policy = createPolicy(settingsOf(value), { workspace: '/w' });
  expect(policy.checkPaths(questionOf({ effects: [write('private/a')] }))?.rule).toBe('path-forbidden');
  expect(policy.checkPaths(questionOf({ effects: [write('a')] }))).toBeUndefined();
  const only = createPolicy(settingsOf({ tools: { write_file: { allowed_paths: ['$HOME', '~/**'] } } }), {
    workspace: '/w',
  });
  expect(only.checkPaths(questionOf({ effects: [write('a')] }))?.rule).toBe('path-not-listed');
});

test('names with brackets are also denied literally', () => {
  const policy = policyOf({ tools: { write_file: { forbidden_paths: ['app/[id]/**', 'app/(auth)'] } } });
  expect(pathRule(policy, write('app/[id]/page.tsx'))).toBe('path-forbidden');
  expect(pathRule(policy, write('app/(auth)/page.tsx'))).toBe('path-forbidden');
  expect(pathRule(policy, write('app/auth/page.tsx'))).toBe('passes');
});

test('a pattern that climbs or explodes denies everything and allows nothing', () => {
  const exploding = '{a,b}'.repeat(12);
  for (const pattern of ['src/*/../x', exploding]) {
    expect(pathRule(policyOf({ tools: { write_file: { forbidden_paths: [pattern] } } }), write('q'))).toBe(
      'path-forbidden',
    );
    expect(pathRule(policyOf({ tools: { write_file: { allowed_paths: [pattern] } } }), write('q'))).toBe(
      'path-not-listed',
    );
  }
});

test.for([
  [['src/private'], onTree('write', 'src'), 'path-forbidden'],
  [['src/private'], onTree('write', 'docs'), 'passes'],
  [['src/*.key'], onTree('write', 'src'), 'path-forbidden'],
  [['src/*.key'], onTree('write', 'src/deep'), 'unclear-paths-ask'],
  [['**/*.key'], onTree('write', 'docs'), 'unclear-paths-ask'],
  [['src/private'], onTree('write', 'src/p*', { scope: 'glob' }), 'path-forbidden'],
  [['src/private'], onTree('write', 'src/*.ts', { scope: 'glob' }), 'unclear-paths-ask'],
  [['src/private'], onTree('write', 'docs/*.ts', { scope: 'glob' }), 'passes'],
  [['**/*.key'], { kind: 'write-unknown' }, 'unclear-paths-ask'],
] as const)('forbidden %j and %j: %s', ([forbidden_paths, effect, rule]) => {
  expect(pathRule(policyOf({ tools: { write_file: { forbidden_paths } } }), effect)).toBe(rule);
});

test('the strictest ruling of several effects counts', () => {
  const policy = policyOf();
  const effects = [onTree('read', '.'), write('/etc/x')];
  expect(policy.checkPaths(questionOf({ tool: BASH, sandboxed: false, effects }))?.rule).toBe('path-outside');
});

test('a tool that inherits another’s policy is bound by its paths', () => {
  const policy = policyOf({ tools: { write_file: { allowed_paths: ['src'] } } });
  expect(pathRule(policy, write('docs/a'), { tool: toolOf({ name: 'edit_file', aliases: [] }) })).toBe(
    'path-not-listed',
  );
});

test('an allowed directory never admits what is not below it (property)', () => {
  const name = fc.constantFrom('lib', 'lib-evil', 'Lib', 'li', 'a', '..', '.', '');
  const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((segments) => `./${segments.join('/')}`);
  const policy = policyOf({ sandbox: { allowed_paths: ['lib/a', 'li'] } });
  fc.assert(
    fc.property(path, (text) => {
      const real = normalised(text);
      const expected = real !== undefined && (/^lib\/a(?:\/|$)/.test(real) || /^li(?:\/|$)/.test(real));
      expect(pathRule(policy, write(text)) === 'passes').toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

test('a path on a deny list is denied whatever else is allowed (property) (S000-42, S001-26)', () => {
  const segment = fc.constantFrom('a', 'b', 'A', 'private', 'PRIVATE', 'x.key');
  const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));
  const policy = policyOf({
    tools: {
      write_file: { forbidden_paths: ['**/private', '**/*.key'], allowed_paths: ['**', 'a', 'a/private'] },
    },
  });
  fc.assert(
    fc.property(path, (text) => {
      const isDenied = /(?:^|\/)private(?:\/|$)|\.key(?:\/|$)/i.test(text);
      expect(pathRule(policy, write(text))).toBe(isDenied ? 'path-forbidden' : 'passes');
    }),
    { numRuns: 1000 },
  );
});

test('a deny pattern that escapes a letter, climbs or differs in case still matches its fixed path', () => {
  for (const pattern of [
    String.raw`fol\der/*`,
    'other/../folder/*',
    './Folder/*',
    'FOLDER/*',
    '/W/folder/*',
  ]) {
    const list = createDenyList([pattern], { workspace: '/W' });
    expect([pattern, list.find({ kind: 'inside', path: 'folder/a', absolute: '/W/folder/a' })]).toEqual([
      pattern,
      pattern,
    ]);
  }
  const list = createDenyList(['folder/*'], { workspace: '/W' });
  expect(list.find({ kind: 'inside', path: 'folders/a', absolute: '/W/folders/a' })).toBeUndefined();
});

test('the home directory itself may be named, and when it is unknown a deny list means any', () => {
  const inside = { kind: 'inside', path: 'a', absolute: '/home/ana/a' } as const;
  const atHome = { workspace: '/home/ana', home: '/home/ana' };
  for (const pattern of ['~', '$HOME', '${HOME}/a']) {
    expect(createDenyList([pattern], atHome).find(inside)).toBe(pattern);
    expect(createAllowList([pattern], atHome).admits(inside)).toBe(true);
    expect(createDenyList([pattern], { workspace: '/home/ana' }).find(inside)).toBe(pattern);
    expect(createAllowList([pattern], { workspace: '/home/ana' }).admits(inside)).toBe(false);
  }
});

test('an allow list covers everything below a folder only by a pattern that means all of it', () => {
  const tree = { kind: 'inside', path: 'src/app', absolute: '/w/src/app' } as const;
  const covers = (pattern: string) => createAllowList([pattern], { workspace: '/w' }).admitsAllBelow(tree);
  expect(['**', 'src/**', 'src', 'src/*', 'docs/**'].map(covers)).toEqual([true, true, true, false, false]);
});

test('createPathDenial() denies what the patterns name and everything below, ignoring case', () => {
  const isDenied = createPathDenial(['keys', '**/*.pem'], { workspace: '/w', home: '/home/ana' });
  expect(['keys', 'keys/a', 'KEYS/a', 'src/x.PEM'].map(isDenied)).toEqual([true, true, true, true]);
  expect(['key', 'src/keys.ts', 'src/x.pem.txt'].map(isDenied)).toEqual([false, false, false]);
});

test('a pattern names paths and everything below directories, and nothing outside the workspace', () => {
  const matches = createPathMatcher(['src', '**/*.md'], { workspace: '/w', home: '/home/ana' });
  const paths = [
    'src',
    'src/a/b.ts',
    'srcs',
    'README.md',
    'docs/x.md',
    'docs/x.ts',
    '../w2/x.md',
    '/w/src/a',
  ];
  expect(paths.filter(matches)).toEqual(['src', 'src/a/b.ts', 'README.md', 'docs/x.md', '/w/src/a']);
  expect(createPathMatcher(['**'], { workspace: '/w', home: '/home/ana' })('any/thing')).toBe(true);
});
