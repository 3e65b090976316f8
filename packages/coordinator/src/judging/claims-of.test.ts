import { type Claim, claimsConflict, type Effect, type Verdict } from '@signalbox/core';
import { expect, test } from 'vitest';
import { type ClaimContext, claimsOf as claimsUnder, claimsOfChanges, isCovered } from './claims-of.ts';

function verdict(effects: readonly Effect[], more: Partial<Verdict> = {}): Verdict {
  return { level: 'warning', reasons: [], effects, runsRepositoryCode: false, composed: false, ...more };
}

const BIND: ClaimContext = { isTransaction: false, isStable: false };
const TRANSACTION: ClaimContext = { isTransaction: true, isStable: false };

/** For a call that runs on the workspace itself, without a transaction. */
function claimsOf(of: Verdict): readonly Claim[] {
  return claimsUnder(of, BIND);
}

const WHOLE_TO_WRITE = [{ resource: 'workspace', access: 'write' }];
const WHOLE_TO_READ = [{ resource: 'workspace', access: 'read' }];

test('a file and a tree are claimed by their own names, with the access that the effect needs', () => {
  expect(
    claimsOf(
      verdict([
        { kind: 'read', path: 'src/a.ts', scope: 'file' },
        { kind: 'write', path: 'src/b.ts', scope: 'file' },
        { kind: 'delete', path: 'dist', scope: 'tree' },
      ]),
    ),
  ).toEqual([
    { resource: 'path:src/a.ts', access: 'read' },
    { resource: 'path:src/b.ts', access: 'write' },
    { resource: 'tree:dist', access: 'write' },
  ]);
});

test('a path that is read and written is claimed once, to write, in any order of the effects', () => {
  const read: Effect = { kind: 'read', path: 'a', scope: 'file' };
  const write: Effect = { kind: 'write', path: 'a', scope: 'file' };
  expect(claimsOf(verdict([read, write]))).toEqual([{ resource: 'path:a', access: 'write' }]);
  expect(claimsOf(verdict([write, read]))).toEqual([{ resource: 'path:a', access: 'write' }]);
});

test('a pattern claims the folder above its first wildcard', () => {
  expect(claimsOf(verdict([{ kind: 'write', path: 'src/gen/*.ts', scope: 'glob' }]))).toEqual([
    { resource: 'tree:src/gen', access: 'write' },
  ]);
  expect(claimsOf(verdict([{ kind: 'write', path: '**/__pycache__/**', scope: 'glob' }]))).toEqual(
    WHOLE_TO_WRITE,
  );
});

test('unpredictable writes claim the whole workspace to write', () => {
  expect(claimsOf(verdict([{ kind: 'write-unknown' }]))).toEqual(WHOLE_TO_WRITE);
});

test('tests of the repository claim the workspace to read, so that no writer runs underneath (X-40)', () => {
  const effects: readonly Effect[] = [{ kind: 'repository-code' }, { kind: 'write-unknown' }];
  expect(claimsOf(verdict(effects, { level: 'safe', runsRepositoryCode: true }))).toEqual(WHOLE_TO_READ);
});

test('repository code that is not just a check claims the workspace to write', () => {
  const effects: readonly Effect[] = [{ kind: 'repository-code' }, { kind: 'write-unknown' }];
  expect(claimsOf(verdict(effects, { level: 'warning', runsRepositoryCode: true }))).toEqual(WHOLE_TO_WRITE);
});

test('paths outside the workspace are not claimed', () => {
  expect(
    claimsOf(
      verdict([
        { kind: 'read', path: '/etc/hosts', scope: 'file' },
        { kind: 'read', path: '~/notes', scope: 'file' },
      ]),
    ),
  ).toEqual([]);
});

test('a command with very many paths claims the workspace instead', () => {
  const effects = Array.from({ length: 65 }, (_, i): Effect => ({
    kind: 'read',
    path: `f${i}`,
    scope: 'file',
  }));
  expect(claimsOf(verdict(effects))).toEqual(WHOLE_TO_READ);
  const write: Effect = { kind: 'write', path: 'g', scope: 'file' };
  expect(claimsOf(verdict([...effects, write]))).toEqual(WHOLE_TO_WRITE);
});

test('a writer of the git index conflicts with one that may write anywhere', () => {
  const add = claimsOf(verdict([{ kind: 'resource', resource: 'git:index', access: 'write' }]));
  expect(claimsConflict(add, claimsOf(verdict([{ kind: 'write-unknown' }])))).toBe(true);
  expect(claimsConflict(add, claimsOf(verdict([{ kind: 'write', path: 'src/a.ts', scope: 'file' }])))).toBe(
    false,
  );
});

test('a transaction claims known writes before it starts, and the others at its end', () => {
  const effects: readonly Effect[] = [
    { kind: 'write', path: 'a', scope: 'file' },
    { kind: 'write-unknown' },
    { kind: 'repository-code' },
  ];
  expect(claimsUnder(verdict(effects), TRANSACTION)).toEqual([{ resource: 'path:a', access: 'write' }]);
});

test('with isolation: stable a transaction that runs tests claims the workspace to read (X-40)', () => {
  const effects: readonly Effect[] = [{ kind: 'repository-code' }, { kind: 'write-unknown' }];
  expect(claimsUnder(verdict(effects), { isTransaction: true, isStable: true })).toEqual(WHOLE_TO_READ);
});

test('changes are claimed by name, those of git by what they change in it', () => {
  const changed = (path: string) => ({ path, kind: 'modified', hash: null }) as const;
  const paths = ['src/a.ts', '.git/index', '.git/HEAD', '.git/refs/heads/main', '.git/objects/ab/cd'];
  expect(claimsOfChanges(paths.map(changed))).toEqual([
    { resource: 'path:src/a.ts', access: 'write' },
    { resource: 'git:index', access: 'write' },
    { resource: 'git:refs', access: 'write' },
  ]);
  const many = Array.from({ length: 65 }, (_, n) => changed(`f${n}`));
  expect(claimsOfChanges(many)).toEqual(WHOLE_TO_WRITE);
});

test('a removed folder is claimed as a whole: no other command creates a file in it meanwhile (F-B2)', () => {
  const changed = (path: string) => ({ path, kind: 'deleted', hash: null }) as const;
  const changes = ['src/a.ts', 'src/deep/b.ts', 'src2/c.ts', '.git/rebase-merge/x'].map(changed);
  expect(claimsOfChanges(changes, ['src', '.git/rebase-merge'])).toEqual([
    { resource: 'tree:src', access: 'write' },
    { resource: 'path:src2/c.ts', access: 'write' },
    { resource: 'git:refs', access: 'write' },
  ]);
});

test('a claim is covered by a write claim on the same resource or one that contains it, and by no read claim', () => {
  const [wanted] = claimsOfChanges([{ path: 'src/a.ts', kind: 'created', hash: null }]);
  if (wanted === undefined) throw new Error('no claim');
  const held = (resource: string, access: 'read' | 'write') => [{ resource, access } as Claim];
  expect(isCovered(wanted, held('tree:src', 'write'))).toBe(true);
  expect(isCovered(wanted, held('workspace', 'write'))).toBe(true);
  expect(isCovered(wanted, held('path:src/a.ts', 'read'))).toBe(false);
  expect(isCovered(wanted, held('tree:src/a', 'write'))).toBe(false);
  expect(isCovered(wanted, held('path:src/a.ts/b', 'write'))).toBe(false);
});
