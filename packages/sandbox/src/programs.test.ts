import { expect, test } from 'vitest';
import { readAtMost, readTrusted, runTrusted } from './programs.ts';

const HERE = { cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 20_000 };
const sh = (script: string) => ['/bin/sh', '-c', script] as const;

test('a program gets the environment that it is given and nothing of ours', async () => {
  const env = { PATH: '/usr/bin:/bin', GIVEN: 'yes' };
  const names = (await readTrusted(['/usr/bin/env'], { ...HERE, env })).trim().split('\n').toSorted();
  expect(names).toEqual(['GIVEN=yes', 'PATH=/usr/bin:/bin']);
  expect(runTrusted(['/usr/bin/env'], '/usr/bin')?.trim().split('\n').toSorted()).toEqual([
    'LC_ALL=C.UTF-8',
    'PATH=/usr/bin',
  ]);
});

test('what it printed is answered byte for byte, the last newline too', async () => {
  expect(await readTrusted(sh(`printf 'a\\r\\n\\n'`), HERE)).toBe('a\r\n\n');
  expect(runTrusted(sh(`printf 'a\\n'`), '/bin')).toBe('a\n');
});

test('one that prints without end is read to the bound and ended', async () => {
  expect(await readAtMost(sh('while :; do echo xxxxxxxx; done'), { ...HERE, maxBytes: 10 })).toMatchObject({
    text: 'xxxxxxxx\nx',
    isCut: true,
  });
});

test('exactly as many bytes as allowed are not cut', async () => {
  expect(await readAtMost(sh('printf 1234'), { ...HERE, maxBytes: 4 })).toMatchObject({
    text: '1234',
    isCut: false,
  });
});

test.for([
  ['says why on standard error', sh('echo no such ref >&2; exit 3'), /^no such ref$/],
  ['fails without a word', sh('exit 3'), /^\/bin\/sh exited with 3$/],
  ['is ended by a signal', sh('kill -9 $$'), /SIGKILL/],
  ['is not there', ['/nowhere/program'], /ENOENT/],
] as const)('a program that %s is an error in words', async ([, argv, message]) => {
  await expect(readTrusted(argv, HERE)).rejects.toThrow(message);
  expect(runTrusted(argv, '/bin')).toBeNull();
});

test('one that takes longer than its time is killed, and the time is named', async () => {
  await expect(readTrusted(sh('exec sleep 60'), { ...HERE, timeoutMs: 50 })).rejects.toThrow(
    '/bin/sh took longer than 0.05 s',
  );
});

test('standard input is empty: no program waits for a person', async () => {
  expect(await readTrusted(['/bin/cat'], HERE)).toBe('');
});
