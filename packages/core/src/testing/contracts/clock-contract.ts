import { describe, expect, test } from 'vitest';
import type { Clock } from '../../ports/clock.ts';

export type ClockHarness = {
  readonly clock: Clock;
  /** Lets at least this time pass: a simulated clock is advanced, a real one waited for. */
  pass(ms: number): Promise<void>;
};

/** The contract of every `Clock`. Takes about a tenth of a second of its time. */
export function clockContract(name: string, start: () => ClockHarness): void {
  describe(`${name} keeps the clock's contract:`, () => {
    test('both times advance as time passes', async () => {
      const { clock, pass } = start();
      const before = { now: clock.now(), monotonic: clock.monotonic() };
      await pass(20);
      expect(clock.monotonic() - before.monotonic).toBeGreaterThanOrEqual(20);
      expect(clock.now() - before.now).toBeGreaterThanOrEqual(19);
      expect(before.now).toBeGreaterThan(Date.UTC(2020));
    });

    test('a timer calls back once, never before its time', async () => {
      const { clock, pass } = start();
      const calledAfter: number[] = [];
      const startedAt = clock.monotonic();
      for (const delayMs of [0, 5, 10, 15])
        clock.timer(delayMs, () => calledAfter.push(clock.monotonic() - startedAt - delayMs));
      await pass(40);
      expect(calledAfter).toHaveLength(4);
      expect(Math.min(...calledAfter)).toBeGreaterThanOrEqual(0);
    });

    test('timers call back in the order they are due, never synchronously', async () => {
      const { clock, pass } = start();
      const called: string[] = [];
      clock.timer(30, () => called.push('late'));
      clock.timer(10, () => called.push('early'));
      clock.timer(0, () => called.push('at once'));
      expect(called).toEqual([]);
      await pass(60);
      expect(called).toEqual(['at once', 'early', 'late']);
    });

    test('a cancelled timer never calls back, and cancelling one that has called does nothing', async () => {
      const { clock, pass } = start();
      let calls = 0;
      const cancel = clock.timer(5, () => (calls += 1));
      cancel();
      const cancelLate = clock.timer(5, () => (calls += 1));
      await pass(20);
      cancelLate();
      expect(calls).toBe(1);
    });

    test("a delay longer than a timer's maximum is refused", () => {
      const { clock } = start();
      expect(() => clock.timer(2 ** 31, () => undefined)).toThrow('too long');
      expect(() => clock.timer(Number.NaN, () => undefined)).toThrow('too long');
      clock.timer(2 ** 31 - 1, () => undefined)();
    });
  });
}
