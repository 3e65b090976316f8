import type { Effect } from '@signalbox/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPolicy } from './create-policy.ts';
import { normalised, onTree, pathRule } from './testing/path-probes.ts';
import {
  BASH,
  policyOf,
  questionOf,
  READ_FILE,
  read,
  settingsOf,
  write,
} from './testing/question-builders.ts';

describe('a folder that every command has to itself', () => {
  const line = { ...BASH, shellLine: () => ({ line: '' }) };
  const OWN = { tool: line, ownFolders: ['/tmp'] };
  const effects = [read('/tmp/a'), write('/tmp/a'), onTree('delete', '/tmp/a'), onTree('read', '/tmp')];

  test('is open to shell lines', () => {
    for (const effect of effects) expect(pathRule(policyOf(), effect, OWN)).toBe('passes');
  });

  test.each([
    ['to tools that work on the machine itself', { tool: READ_FILE, ownFolders: ['/tmp'] }],
    ['where no sandbox is', { ...OWN, sandboxed: false }],
    ['when it is unknown', { tool: line }],
    ['where it is another', { tool: line, ownFolders: ['/var/tmp'] }],
  ])('is closed %s', (_where, question) => {
    for (const effect of effects) expect(pathRule(policyOf(), effect, question)).toBe('path-outside');
  });

  test.each<[string, string, Effect, string]>([
    ['forbidden_paths', '/tmp/**', write('/tmp/a'), 'path-forbidden'],
    ['forbidden_paths', '/TMP/a', write('/tmp/a/b'), 'path-forbidden'],
    ['forbidden_paths', '/tmp/a', write('/tmp/b'), 'passes'],
    ['forbidden_paths', '/tmp/a/b', onTree('delete', '/tmp/a'), 'path-forbidden'],
    ['forbidden_paths', '/tmp/*.key', onTree('read', '/tmp/a'), 'unclear-paths-ask'],
    ['forbidden_paths', '/tmp/a/b', onTree('delete', '/tmp/a/*', { scope: 'glob' }), 'unclear-paths-ask'],
    ['forbidden_paths', '/*/x', write('/tmp/x'), 'path-forbidden'],
    ['forbidden_paths', '**/x', write('/tmp/x'), 'passes'],
    ['forbidden_paths', 'src', onTree('delete', '/tmp/a'), 'passes'],
    ['deny_read', '/tmp/**', read('/tmp/a'), 'path-forbidden'],
    ['deny_read', '/tmp/**', write('/tmp/a'), 'passes'],
  ])('is subject to its settings: %s %s, %j: %s', (list, pattern, effect, rule) => {
    const tools =
      list === 'deny_read' ? { file: { deny_read: [pattern] } } : { bash: { forbidden_paths: [pattern] } };
    expect(pathRule(policyOf({ tools }), effect, OWN)).toBe(rule);
  });

  test('gives no access to paths beside it, above it or in the workspace', () => {
    for (const path of ['/tmp/../etc/passwd', '/tmpfile', '/', '/var/tmp/a'])
      expect(pathRule(policyOf(), write(path), OWN)).toBe('path-outside');
    const policy = createPolicy(settingsOf({}), { workspace: '/tmp/shop', home: '/tmp/ana' });
    for (const path of ['/tmp', '/tmp/ana/.bashrc'])
      expect(pathRule(policy, onTree('delete', path), OWN)).toBe('path-outside');
    expect(pathRule(policy, { kind: 'delete', path: '/tmp/s*', scope: 'glob' }, OWN)).toBe('path-outside');
    expect(pathRule(policy, write('/tmp/shop/.git/config'), OWN)).toBe('protected-path');
  });
});

describe('nothing outside the workspace is touched (X-09, S002-41, S003-39, X-38, L-17)', () => {
  test.for([
    '/etc/passwd',
    '/',
    '..',
    '../shop-evil/a',
    'a/../../b',
    '~',
    '~/.ssh/id_rsa',
    '~root/x',
    '/home/ana',
    '/home/ana/shop-evil/a',
    '/home/ana/shop/../x',
    'a\0b',
    '/dev/sda',
  ])('%j', (path) => {
    const open = policyOf({
      sandbox: { allowed_paths: ['/', '**', '/**', '..'] },
      tools: { file: { allow_read: ['**', '/**', '~'] } },
    });
    for (const effect of [read(path), write(path), onTree('delete', path), onTree('read', path)]) {
      expect(pathRule(open, effect)).toBe('path-outside');
    }
    expect(open.isDenied(path, 'read')).toBe(true);
  });

  test.for(['a', './a', 'a//b', 'a/./b', 'a/../b', '/home/ana/shop/a', '~/shop/a', '.'])(
    'but %j is inside',
    (path) => {
      expect(pathRule(policyOf(), read(path))).toBe('passes');
    },
  );

  test('devices that store nothing pass', () => {
    expect(pathRule(policyOf(), write('/dev/null'))).toBe('passes');
  });

  test('an unknown home is outside', () => {
    const policy = createPolicy(settingsOf({}), { workspace: '/' });
    expect(policy.checkPaths(questionOf({ effects: [read('~/x')] }))).toBeUndefined();
    const usual = createPolicy(settingsOf({}), { workspace: '/w' });
    expect(usual.checkPaths(questionOf({ effects: [read('~/x')] }))?.rule).toBe('path-outside');
  });

  test('a workspace at the root of the disk contains everything', () => {
    const policy = createPolicy(settingsOf({}), { workspace: '/' });
    expect(policy.checkPaths(questionOf({ effects: [write('/a/b')] }))).toBeUndefined();
  });

  test('for every spelling of a path (property)', () => {
    const segment = fc.constantFrom('a', 'b', '..', '.', '', 'shop', '~', 'shop-evil', '\0');
    const path = fc
      .tuple(
        fc.constantFrom('', '/', '/home/ana/shop/', '~/'),
        fc.array(segment, { minLength: 1, maxLength: 8 }),
      )
      .map(([start, segments]) => `${start}${segments.join('/')}`)
      .filter((text) => text !== '');
    const policy = policyOf({ sandbox: { allowed_paths: ['**', '/**', '.'] } });
    fc.assert(
      fc.property(path, (text) => {
        const passes = pathRule(policy, write(text)) === 'passes';
        expect(passes).toBe(isInside(text));
        expect(policy.isDenied(text, 'write')).toBe(!passes);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('protected paths stay protected, whatever the settings say (X-10)', () => {
  const open = policyOf({ sandbox: { allowed_paths: ['**'] }, tools: { file: { allow_read: ['**'] } } });

  test.for([
    ['.git/config', 'passes', 'protected-path'],
    ['vendor/lib/.git/hooks/post-checkout', 'passes', 'protected-path'],
    ['.GIT/config', 'passes', 'protected-path'],
    ['signalbox.yaml', 'passes', 'protected-path'],
    ['Signalbox.YML', 'passes', 'protected-path'],
    ['.signalbox/local.yaml', 'protected-path', 'protected-path'],
    ['.env', 'protected-path', 'protected-path'],
    ['a/b/.env.production', 'protected-path', 'protected-path'],
    ['.env.example', 'passes', 'passes'],
    ['deploy/secrets/db.txt', 'protected-path', 'protected-path'],
    ['secrets', 'protected-path', 'protected-path'],
    ['src/secrets.ts', 'passes', 'passes'],
    ['.gitignore', 'passes', 'passes'],
    ['a/signalbox.yaml', 'passes', 'passes'],
  ])('%s: read %s, write %s', ([path = '', reading, writing]) => {
    expect(pathRule(open, read(path))).toBe(reading);
    expect(pathRule(open, write(path))).toBe(writing);
    expect(pathRule(open, onTree('delete', path, { scope: 'file' }))).toBe(writing);
    expect(open.isDenied(path, 'read')).toBe(reading !== 'passes');
    expect(open.isDenied(path, 'write')).toBe(writing !== 'passes');
  });

  test.for([
    [onTree('delete', '.'), 'protected-path'],
    [onTree('write', '.'), 'passes'],
    [onTree('write', '**/__pycache__/**', { scope: 'glob' }), 'passes'],
    [onTree('delete', '*', { scope: 'glob' }), 'protected-path'],
    [onTree('delete', 's*', { scope: 'glob' }), 'protected-path'],
    [onTree('write', '.g*/config', { scope: 'glob' }), 'passes'],
    [onTree('delete', '.g*', { scope: 'glob' }), 'protected-path'],
    [onTree('delete', '*.ts', { scope: 'glob' }), 'passes'],
    [onTree('delete', 'src/*', { scope: 'glob' }), 'passes'],
    [onTree('read', '*', { scope: 'glob' }), 'passes'],
    [onTree('delete', 'dist'), 'passes'],
    [onTree('read', '.'), 'passes'],
    [onTree('read', 'secrets/*', { scope: 'glob' }), 'protected-path'],
    [{ kind: 'secret', path: '.env' }, 'protected-path'],
    [{ kind: 'secret', path: 'server.pem' }, 'passes'],
    [{ kind: 'secret', path: '.e*' }, 'passes'],
    [{ kind: 'secret', path: '~/.ssh/id_rsa' }, 'path-outside'],
    [{ kind: 'network' }, 'passes'],
    [{ kind: 'resource', resource: 'git:index', access: 'write' }, 'passes'],
  ] as const)('a directory or a pattern that reaches it: %j → %s', ([effect, rule]) => {
    expect(pathRule(open, effect, { tool: BASH })).toBe(rule);
  });

  test('without the sandbox, which hides it, a wide reach needs approval', () => {
    expect(pathRule(open, onTree('delete', 'dist'), { tool: BASH, sandboxed: false })).toBe(
      'unclear-paths-ask',
    );
    expect(pathRule(open, onTree('read', '.'), { tool: BASH, sandboxed: false })).toBe('unclear-paths-ask');
    expect(pathRule(open, onTree('write', '.'), { tool: BASH, sandboxed: false })).toBe('unclear-paths-ask');
    expect(pathRule(open, { kind: 'write-unknown' }, { tool: BASH, sandboxed: false })).toBe(
      'unclear-paths-ask',
    );
    expect(pathRule(open, { kind: 'write-unknown' }, { tool: BASH })).toBe('passes');
    // File tools leave out denied paths themselves.
    expect(pathRule(open, onTree('read', '.'), { tool: READ_FILE, sandboxed: false })).toBe('passes');
  });
});

function isInside(path: string): boolean {
  if (path.includes('\0')) return false;
  const rest = path.startsWith('~/') ? `/home/ana/${path.slice(2)}` : path;
  if (path === '~') return false;
  const base = rest.startsWith('/') ? '/' : '/home/ana/shop';
  const inside = normalised(rest, base === '/' ? '' : base);
  return inside !== undefined || isWorkspace(rest, base);
}

function isWorkspace(path: string, base: string): boolean {
  return normalised(`${path}/probe`, base === '/' ? '' : base) === 'probe';
}
