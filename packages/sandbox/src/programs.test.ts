import { expect, test } from 'vitest';
import { readAtMost, readTrusted, runTrusted } from './programs.ts';

const HERE = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 20_000 };
const sh = (script: string) => ['/bin/sh', '-c', script] as const;

test('a program gets exactly the given environment (U-14)', async () => {
  const env = { PATH: '/usr/bin:/bin', GIVEN: 'yes' };
  const names = (await readTrusted(['/usr/bin/env'], { ...HERE, env })).trim().split('\n').toSorted();
  expect(names).toEqual(['GIVEN=yes', 'PATH=/usr/bin:/bin']);
  expect(runTrusted(['/usr/bin/env'], '/usr/bin')?.trim().split('\n').toSorted()).toEqual([
    'LC_ALL=C.UTF-8',
    'PATH=/usr/bin',
  ]);
});

test('its output is returned byte for byte, including the last newline', async () => {
  expect(await readTrusted(sh(`printf 'a\\r\\n\\n'`), HERE)).toBe('a\r\n\n');
  expect(runTrusted(sh(`printf 'a\\n'`), '/bin')).toBe('a\n');
});

test('a program that prints without end is read up to the bound and ended', async () => {
  expect(await readAtMost(sh('while :; do echo xxxxxxxx; done'), { ...HERE, maxBytes: 10 })).toMatchObject({
    text: 'xxxxxxxx\nx',
    isCut: true,
  });
});

test('output of exactly the bound is not cut', async () => {
  expect(await readAtMost(sh('printf 1234'), { ...HERE, maxBytes: 4 })).toMatchObject({
    text: '1234',
    isCut: false,
  });
});

test.for([
  ['says why on standard error', sh('echo no such ref >&2; exit 3'), /^no such ref$/],
  ['fails silently', sh('exit 3'), /^\/bin\/sh exited with 3$/],
  ['is killed by a signal', sh('kill -9 $$'), /SIGKILL/],
  ['is missing', ['/nowhere/program'], /ENOENT/],
] as const)('a program that %s rejects with the reason', async ([, argv, message]) => {
  await expect(readTrusted(argv, HERE)).rejects.toThrow(message);
  expect(runTrusted(argv, '/bin')).toBeNull();
});

test('a program over its time limit is killed, and the error names the limit', async () => {
  await expect(readTrusted(sh('exec sleep 60'), { ...HERE, timeoutMs: 50 })).rejects.toThrow(
    '/bin/sh took longer than 0.05 s',
  );
});

test('standard input is empty, so no program waits for a user', async () => {
  expect(await readTrusted(['/bin/cat'], HERE)).toBe('');
});
