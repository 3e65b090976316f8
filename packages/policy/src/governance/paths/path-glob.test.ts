import * as fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { parsePathGlob } from './path-glob.ts';

test.for([
  ['*.ts', ['a.ts', '.ts', '.a.ts'], ['a.tsx', 'src/a.ts', 'ts']],
  ['src/*', ['src/a', 'src/.a'], ['src', 'src/a/b']],
  ['src/**', ['src', 'src/a', 'src/a/.b/c'], ['srcx', 'a/src']],
  ['**', ['a', 'a/b/c', '.a'], []],
  ['**/.env', ['.env', 'a/.env', 'a/b/.env'], ['.env.x', 'a.env', '.env/a']],
  ['**/secrets/**', ['secrets', 'secrets/a', 'a/secrets/b/c'], ['secretsx/a']],
  ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c', 'a/b/b/c/c'], ['a/c', 'a/b', 'b/c']],
  ['a?c', ['abc', 'a😀c'], ['ac', 'abbc', 'a/c']],
  ['[a-c]x[!0-9]', ['axy', 'cxz'], ['dxy', 'ax1', 'xy']],
  ['[^a]', ['b'], ['a', '']],
  ['[]-]x', ['x', '-x', ']x'].slice(1), ['ax']],
  ['{a,b/c}.{ts,tsx}', ['a.ts', 'b/c.tsx'], ['b.ts', 'a.js']],
  ['{a,{b,c}d}', ['a', 'bd', 'cd'], ['b', 'd']],
  ['a{b}c', ['a{b}c'], ['abc']],
  ['{a', ['{a'], ['a']],
  ['x{,y}', ['x', 'xy'], ['y']],
  ['[x', ['[x'], ['x']],
  [String.raw`\*\[a\]`, ['*[a]'], ['x[a]']],
  [String.raw`a\{b,c}`, ['a{b,c}'], ['ab', 'ac']],
  [String.raw`{a\,b,c\}}`, ['a,b', 'c}'], ['a', 'b']],
  ['a\\', ['a\\'], ['a']],
  ['(a|b)+', ['(a|b)+'], ['a', 'b']],
  ['./a//b/./c', ['./a/b/c'], []],
  ['/etc/**', ['/etc', '/etc/a'], ['etc/a']],
] as const)('%s matches %j and not %j', ([pattern, matching, others]) => {
  const matches = parsePathGlob(pattern);
  expect([...matching, ...others].filter((path) => matches?.(path))).toEqual(matching);
});

test('braces over 256 alternatives are rejected', () => {
  expect(parsePathGlob('{a,b}'.repeat(8))).toBeDefined();
  expect(parsePathGlob('{a,b}'.repeat(9))).toBeUndefined();
  expect(parsePathGlob(`{x,${'{a,b}'.repeat(9)}}`)).toBeUndefined();
});

test('agrees with picomatch on stars and question marks, but `*/**` matches `a` as `a/**` does (property)', () => {
  const segment = fc.constantFrom('a', 'b', 'ab', '*', '?', 'a*', '*b', '**');
  const pattern = fc
    .array(segment, { minLength: 1, maxLength: 5 })
    .map((segments) => segments.join('/'))
    .filter((glob) => !/[*?][^/]*\/\*\*$/.test(glob));
  const name = fc.constantFrom('a', 'b', 'ab', 'ba', 'aab');
  const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'));
  fc.assert(
    fc.property(pattern, path, (glob, text) => {
      expect(parsePathGlob(glob)?.(text)).toBe(picomatch(glob, { dot: true })(text));
    }),
    { numRuns: 5000 },
  );
});

test('a hostile pattern on a hostile path is matched in negligible time', () => {
  const before = process.cpuUsage();
  parsePathGlob(`${'*a'.repeat(500)}b`)?.('a'.repeat(4000));
  parsePathGlob(`${'**/a/'.repeat(200)}b`)?.('a/'.repeat(2000));
  parsePathGlob('{,a}'.repeat(100));
  // Our own processor time, so that other load on the machine does not matter.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
});

test.for<[pattern: string, path: string, matches: boolean]>([
  ['a**b', 'axyb', true],
  ['a**b', 'a/b', false],
  ['a\\', 'a\\', true],
  ['[a-]', '-', true],
  ['[!-c]x', '-x', false],
])('%j and %j: %s', ([pattern, path, matches]) => {
  expect(parsePathGlob(pattern)?.(path)).toBe(matches);
});
