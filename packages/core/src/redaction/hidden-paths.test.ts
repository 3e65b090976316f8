import { expect, test } from 'vitest';
import { createPathHiding } from './hidden-paths.ts';

const ANA = { workspace: '/home/ana/shop', home: '/home/ana' };

test.for<readonly [printed: string, shown: string]>([
  ['at /home/ana/shop/src/a.ts:12:3', 'at ./src/a.ts:12:3'],
  ['in /home/ana/shop.', 'in ..'],
  ['file:///home/ana/shop/a.ts', 'file://./a.ts'],
  ['PATH=/home/ana/shop/bin:/home/ana/.local/bin:/usr/bin', 'PATH=./bin:~/.local/bin:/usr/bin'],
  ['"/home/ana"', '"~"'],
  [
    '/home/ana/shopping and /home/anabel and /srv/home/ana/x',
    '~/shopping and /home/anabel and /srv/home/ana/x',
  ],
  [
    '/media/ana/usb, /mnt/c/Users/ana/x, /var/mail/ana',
    '/media/[user]/usb, /mnt/c/Users/[user]/x, /var/mail/[user]',
  ],
  ['ana says hello from /opt/ana', 'ana says hello from /opt/ana'],
])('a model reads %s as %s (S001-46)', ([text, shown]) => {
  expect(createPathHiding(ANA)(text)).toBe(shown);
});

test('a workspace that tells nothing stays, one below a folder of that name does not (S001-46)', () => {
  const at = (workspace: string, home = '/home/ana'): string =>
    createPathHiding({ workspace, home })(`${workspace}/a.ts ${home}/b.ts`);
  expect(at('/srv/shop')).toBe('/srv/shop/a.ts ~/b.ts');
  expect(at('/work/ana/shop')).toBe('./a.ts ~/b.ts');
  expect(at('/home/ana')).toBe('~/a.ts ~/b.ts');
  expect(at('/srv/shop', '/root/')).toBe('/srv/shop/a.ts ~//b.ts');
  expect(createPathHiding({ workspace: '/srv/shop', home: undefined })('/srv/shop')).toBe('/srv/shop');
});

test('a long text of half paths takes linear time', () => {
  const text = '/home/ana/'.repeat(100_000) + '/media/'.repeat(100_000);
  expect(createPathHiding(ANA)(text).length).toBeLessThan(text.length + 1);
});
