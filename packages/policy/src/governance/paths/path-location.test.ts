import { expect, test } from 'vitest';
import { lineageOf, locatePath } from './path-location.ts';

const SHOP = { workspace: '/home/ana/shop', home: '/home/ana' };

test.for([
  ['a', 'a'],
  ['.', '.'],
  ['./a//b/../c/', 'a/c'],
  ['/home/ana/shop', '.'],
  ['/home/ana/./shop//', '.'],
  ['/home/ana/shop/a', 'a'],
  ['../shop/a', 'a'],
  ['~/shop/a', 'a'],
  ['~root', '~root'],
  ['a/~', 'a/~'],
  ['.hidden', '.hidden'],
  ['cafe\u0301', 'caf\u00E9'],
  ['~/shop/cafe\u0301', 'caf\u00E9'],
])('%j is inside the workspace, as %j', ([path = '', inside = '']) => {
  const absolute = inside === '.' ? '/home/ana/shop' : `/home/ana/shop/${inside}`;
  expect(locatePath(path, SHOP)).toEqual({ kind: 'inside', path: inside, absolute });
});

test.for([
  ['/home/ana/shopping', '/home/ana/shopping'],
  ['/home/ana', '/home/ana'],
  ['..', '/home/ana'],
  ['../../../../..', '/'],
  ['', '/'],
  ['~', '/home/ana'],
  ['~/x', '/home/ana/x'],
  ['~root/x', '/~/x'],
  ['~/../shop/a', '/home/shop/a'],
  ['/etc/cafe\u0301', '/etc/caf\u00E9'],
  ['a\0b', '/home/ana/shop/a\0b'],
])('%j is outside, as %j', ([path = '', absolute = '']) => {
  expect(locatePath(path, SHOP)).toEqual({ kind: 'outside', absolute });
});

test('an unknown home is outside, also of a workspace whose name ends with a slash', () => {
  expect(locatePath('~/a', { workspace: '/w' })).toEqual({ kind: 'outside', absolute: '/~/a' });
  expect(locatePath('~', { workspace: '/w' })).toEqual({ kind: 'outside', absolute: '/~' });
  expect(locatePath('a', { workspace: '/w/' })).toEqual({ kind: 'inside', path: 'a', absolute: '/w/a' });
  expect(locatePath('/wa', { workspace: '/w/' })).toEqual({ kind: 'outside', absolute: '/wa' });
});

test('the root of the disk contains everything', () => {
  expect(locatePath('/etc/a', { workspace: '/' })).toEqual({
    kind: 'inside',
    path: 'etc/a',
    absolute: '/etc/a',
  });
  expect(locatePath('.', { workspace: '/' })).toEqual({ kind: 'inside', path: '.', absolute: '/' });
});

test('the lineage of a path is the path and its parents', () => {
  expect(lineageOf('a/b/c')).toEqual(['a', 'a/b', 'a/b/c']);
  expect(lineageOf('/a/b')).toEqual(['/a', '/a/b']);
  expect(lineageOf('')).toEqual([]);
});
