import { expect, test } from 'vitest';
import { isHarmlessDevice, isProtected } from './protected-paths.ts';

test.for([
  ['.signalbox', true, true],
  ['.SIGNALBOX/state.db', true, true],
  ['a/.signalbox/x', false, false],
  ['.env', true, true],
  ['a/.env/b', true, true],
  ['.env.local', true, true],
  ['.env.local.example', false, false],
  ['.env.sample', false, false],
  ['.env.template', false, false],
  ['.env.dist', false, false],
  ['.env.defaults', false, false],
  ['.environment', false, false],
  ['a.env', false, false],
  ['secrets', true, true],
  ['a/Secrets/b', true, true],
  ['secrets.ts', false, false],
  ['.git', false, true],
  ['a/.git/hooks/x', false, true],
  ['.github/x', false, false],
  ['signalbox.yml', false, true],
  ['signalbox.yaml', false, true],
  ['a/signalbox.yaml', false, false],
  ['a', false, false],
] as const)('%s is protected from reading: %s, from writing: %s (X-10)', ([path, reading, writing]) => {
  expect([isProtected(path, 'read'), isProtected(path, 'write')]).toEqual([reading, writing]);
});

test('devices that store nothing are harmless, and no other path below /dev is', () => {
  const harmless = [
    'null',
    'zero',
    'full',
    'tty',
    'stdin',
    'stdout',
    'stderr',
    'fd/1',
    'fd/255',
    'random',
    'urandom',
  ];
  expect(harmless.map((name) => `/dev/${name}`).filter((path) => !isHarmlessDevice(path))).toEqual([]);
  const others = [
    '/dev/sda',
    '/dev/null/x',
    '/dev/fd/',
    '/dev/fd/x',
    '/dev/nullx',
    'x/dev/null',
    '/dev/tty1',
    '/dev',
  ];
  expect(others.filter(isHarmlessDevice)).toEqual([]);
});
