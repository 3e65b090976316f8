import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Claim, claimsConflict, describeClaim, readClaim, writeClaim } from './claim.ts';
import { overlaps, pathResource, treeResource, WORKSPACE } from './resource.ts';

test('readers of the same file do not conflict, a writer conflicts with both kinds', () => {
  const file = pathResource('src/a.ts');
  expect(claimsConflict([readClaim(file)], [readClaim(file)])).toBe(false);
  expect(claimsConflict([readClaim(file)], [writeClaim(file)])).toBe(true);
  expect(claimsConflict([writeClaim(file)], [readClaim(file)])).toBe(true);
  expect(claimsConflict([writeClaim(file)], [writeClaim(file)])).toBe(true);
});

test('a writer of a directory conflicts with readers inside it', () => {
  const inside = [readClaim(pathResource('src/deep/a.ts'))];
  expect(claimsConflict([writeClaim(treeResource('src'))], inside)).toBe(true);
  expect(claimsConflict([writeClaim(treeResource('docs'))], inside)).toBe(false);
});

test('one conflicting pair is enough, and an empty set conflicts with nothing', () => {
  const mine = [readClaim(pathResource('a')), writeClaim(pathResource('b'))];
  expect(claimsConflict(mine, [readClaim(pathResource('c')), readClaim(pathResource('b'))])).toBe(true);
  expect(claimsConflict(mine, [])).toBe(false);
  expect(claimsConflict([], mine)).toBe(false);
});

test('conflicts are symmetric, need an overlap and a writer, and grow with the claims', () => {
  fc.assert(
    fc.property(someClaims, someClaims, someClaims, (a, b, more) => {
      const conflict = claimsConflict(a, b);
      expect(claimsConflict(b, a)).toBe(conflict);
      expect(claimsConflict([...a, ...more], b)).toBe(conflict || claimsConflict(more, b));
      const asReaders = (claims: readonly Claim[]) => claims.map(({ resource }) => readClaim(resource));
      expect(claimsConflict(asReaders(a), asReaders(b))).toBe(false);
      const asWriters = (claims: readonly Claim[]) => claims.map(({ resource }) => writeClaim(resource));
      const meet = a.some((mine) => b.some((theirs) => overlaps(mine.resource, theirs.resource)));
      expect(claimsConflict(asWriters(a), b)).toBe(meet);
    }),
    { numRuns: 1000 },
  );
});

test('a claim reads as access and resource', () => {
  expect(describeClaim(writeClaim(pathResource('src/cart.ts')))).toBe('write path:src/cart.ts');
  expect(describeClaim(readClaim(WORKSPACE))).toBe('read workspace');
});

const someClaims: fc.Arbitrary<readonly Claim[]> = fc.array(
  fc.record({
    resource: fc.oneof(
      fc.constant(WORKSPACE),
      fc
        .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
        .chain((parts) => fc.constantFrom(pathResource(parts.join('/')), treeResource(parts.join('/')))),
    ),
    access: fc.constantFrom('read', 'write'),
  }),
  { maxLength: 4 },
);
