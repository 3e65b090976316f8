import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isWriterGone, lockedWriter } from './commit-writers.ts';

const me = { host: hostname(), pid: process.pid, startTicks: null, bootId: null, pidNamespace: null };

test('who had the lock before us is gone', async () => {
  const earlier = lockedWriter({ nonce: 'ab12', process: me, startedAt: 0, subcommand: 'run' });
  expect(await isWriterGone(earlier, hostname())).toBe(true);
});

test('a member that lives, lives elsewhere or cannot be known is not gone; one that is dead is', async () => {
  const isGone = (identity: unknown) => isWriterGone({ id: 'member_1', identity }, hostname());
  expect(await isGone(me)).toBe(false);
  expect(await isGone({ ...me, host: 'elsewhere' })).toBe(false);
  expect(await isGone(null)).toBe(false);
  expect(await isGone({ ...me, bootId: 'another boot' })).toBe(true);
});
