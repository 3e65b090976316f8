import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isWriterGone, lockedWriter } from './commit-writers.ts';

const me = { host: hostname(), pid: process.pid, startTicks: null, bootId: null, pidNamespace: null };

test('an earlier holder of the lock counts as gone', async () => {
  const earlier = lockedWriter({ nonce: 'ab12', process: me, startedAt: 0, subcommand: 'run' });
  expect(await isWriterGone(earlier, hostname())).toBe(true);
});

test('only a dead node counts as gone: not one that is alive, on another machine or unknown', async () => {
  const isGone = (identity: unknown) => isWriterGone({ id: 'member_1', identity }, hostname());
  expect(await isGone(me)).toBe(false);
  expect(await isGone({ ...me, host: 'elsewhere' })).toBe(false);
  expect(await isGone(null)).toBe(false);
  expect(await isGone({ ...me, bootId: 'another boot' })).toBe(true);
});
