import { expect, test } from 'vitest';
import { endByDeadline } from './stop-deadline.ts';

test('a stop that exceeds its deadline says so and ends the process (F-W10)', () => {
  const timers: (readonly [number, () => void])[] = [];
  const seen: unknown[] = [];
  endByDeadline({
    say: (text) => seen.push(text),
    exit: (code) => seen.push(code),
    after: (delayMs, callback) => timers.push([delayMs, callback]),
  });
  expect(seen).toEqual([]);
  const [[delayMs, callback] = [0, () => undefined]] = timers;
  callback();
  expect([delayMs, seen]).toEqual([20_000, [expect.stringContaining('not stopped after 20 s'), 1]]);
});
