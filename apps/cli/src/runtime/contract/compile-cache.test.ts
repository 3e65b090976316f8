import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cacheBelow } from './compile-cache.ts';

function aHome(): { root: string; home: string } {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-cache-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  mkdirSync(home);
  return { root, home };
}

test("compiled code is cached below a home that commands can't write to", () => {
  const { home } = aHome();
  expect(cacheBelow(home)).toBe(join(home, '.cache/signalbox'));
});

test.for(['home/.cache/signalbox', 'home/.cache', 'home', '.'])(
  'nothing is cached inside a workspace, whose commands could write code: %s',
  (at) => {
    const { root, home } = aHome();
    mkdirSync(join(home, '.cache/signalbox'), { recursive: true });
    mkdirSync(join(root, at, '.signalbox'));
    expect(cacheBelow(home)).toBeNull();
    rmSync(join(root, at, '.signalbox'), { recursive: true });
    writeFileSync(join(root, at, 'signalbox.yaml'), '');
    expect(cacheBelow(home)).toBeNull();
  },
);

test('an account without a home has no cache', () => {
  expect(cacheBelow(null)).toBeNull();
});
