import { readFileSync } from 'node:fs';
import { startWorkCounter } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const CALLS = 10;

async function echo(own: TestRuntime, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const { success, content } = await own.call('openai', 'echo', { text: `hello ${n}` });
    if (!success) throw new Error(content);
  }
}

/** System calls that wrote, and their bytes, of this process. */
function written(): Readonly<{ calls: number; bytes: number }> {
  const io = readFileSync('/proc/self/io', 'utf8');
  const numberOf = (key: string): number => Number(new RegExp(`^${key}: (\\d+)$`, 'm').exec(io)?.[1]);
  return { calls: numberOf('syscw'), bytes: numberOf('wchar') };
}

test('a safe call is at most 5,000 steps, 100 writes and 200 kB on the disk, and no more after 60 others', async () => {
  await using counter = await startWorkCounter();
  await using own = await openTestRuntime();
  await echo(own, 5);
  const before = written();
  const first = await counter.count(() => echo(own, CALLS));
  const after = written();
  await echo(own, 60);
  const later = await counter.count(() => echo(own, CALLS));
  // Half of each bound is usual.
  expect(first / CALLS).toBeGreaterThan(500);
  expect(first / CALLS).toBeLessThan(5000);
  expect((after.calls - before.calls) / CALLS).toBeLessThan(100);
  expect((after.bytes - before.bytes) / CALLS).toBeLessThan(200_000);
  expect(later / first).toBeLessThan(1.2);
});
