import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Claim, claimsConflict, readClaim, writeClaim } from './claim.ts';
import { CONFLICTING_MODES, LOCK_MODES, lockEntries } from './lock-entry.ts';
import { pathResource, Resource, treeResource, WORKSPACE } from './resource.ts';

test('lockEntries() of a write marks every node above it as written below', () => {
  expect(lockEntries([writeClaim(pathResource('src/a.ts'))])).toEqual([
    { node: 'workspace', mode: 'IX' },
    { node: 'workspace\0src', mode: 'IX' },
    { node: 'workspace\0src\0a.ts', mode: 'X' },
  ]);
});

test('lockEntries() leaves out what is below a held node', () => {
  const claims = [
    readClaim(pathResource('src/a.ts')),
    writeClaim(treeResource('src')),
    writeClaim(pathResource('src/deep/b.ts')),
  ];
  expect(lockEntries(claims)).toEqual([
    { node: 'workspace', mode: 'IX' },
    { node: 'workspace\0src', mode: 'X' },
  ]);
});

test('lockEntries() keeps both modes of a directory that is read while a file in it is written', () => {
  const claims = [
    readClaim(treeResource('src')),
    writeClaim(pathResource('src/a.ts')),
    readClaim(pathResource('src/b.ts')),
  ];
  expect(lockEntries(claims)).toEqual([
    { node: 'workspace', mode: 'IX' },
    { node: 'workspace\0src', mode: 'IX' },
    { node: 'workspace\0src', mode: 'S' },
    { node: 'workspace\0src\0a.ts', mode: 'X' },
  ]);
});

test('conflicting modes conflict both ways', () => {
  for (const a of LOCK_MODES)
    for (const b of LOCK_MODES)
      expect(CONFLICTING_MODES[a].includes(b)).toBe(CONFLICTING_MODES[b].includes(a));
});

test('entries meet in conflicting modes exactly when their claims conflict', () => {
  fc.assert(
    fc.property(someClaims, someClaims, (a, b) => {
      expect(entriesConflict(a, b)).toBe(claimsConflict(a, b));
    }),
    { numRuns: 2000 },
  );
});

test('each mode of a node appears once, and no node below one that is held to write', () => {
  fc.assert(
    fc.property(someClaims, (claims) => {
      const entries = lockEntries(claims);
      expect(new Set(entries.map(({ node, mode }) => `${mode} ${node}`)).size).toBe(entries.length);
      for (const { node } of entries.filter(({ mode }) => mode === 'X'))
        expect(entries.filter((other) => other.node.startsWith(`${node}\0`))).toEqual([]);
    }),
  );
});

function entriesConflict(a: readonly Claim[], b: readonly Claim[]): boolean {
  return lockEntries(a).some((mine) =>
    lockEntries(b).some(
      (theirs) => theirs.node === mine.node && CONFLICTING_MODES[mine.mode].includes(theirs.mode),
    ),
  );
}

const segments = fc.array(fc.constantFrom('a', 'b', 'a-b', '.git'), {
  minLength: 1,
  maxLength: 4,
});
const someResource = fc.oneof(
  fc.constant(WORKSPACE),
  segments.map((parts) => pathResource(parts.join('/'))),
  segments.map((parts) => treeResource(parts.join('/'))),
  fc
    .constantFrom('git:index', 'git:refs', 'net', 'port:3000', 'port:80', 'port', 'npm-cache')
    .map((name) => Resource.parse(name)),
);
const someClaims = fc.array(fc.record({ resource: someResource, access: fc.constantFrom('read', 'write') }), {
  maxLength: 5,
});
