import { describe, expect, onTestFinished, test } from 'vitest';
import type { Counters } from '../../ports/counters.ts';
import type { Timed } from '../timed.ts';

/** Counters at zero, and a way to let their time pass. */
export type CountersHarness = {
  readonly counters: Counters;
  /** A window that is short for the backend: an hour with simulated time, a fraction of a second with real time. */
  readonly windowMs: number;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
};

/** The contract of every `Counters` (Q1–Q3). */
export function countersContract(
  name: string,
  start: () => Promise<CountersHarness>,
  { retry = 0 }: Timed = {},
): void {
  async function setUp(): Promise<CountersHarness> {
    const harness = await start();
    onTestFinished(() => harness.close());
    return harness;
  }

  describe(`${name} keeps the counters' contract:`, { retry }, () => {
    test('takes are counted up to the limit, and the next one is refused', async () => {
      const { counters, windowMs } = await setUp();
      const take = () => counters.take({ key: 'a', limit: 2, windowMs });
      expect(await take()).toEqual({ kind: 'taken', used: 1 });
      expect(await take()).toEqual({ kind: 'taken', used: 2 });
      expect(await take()).toMatchObject({ kind: 'exhausted', used: 2 });
      expect(await take()).toMatchObject({ kind: 'exhausted', used: 2 });
      expect(await counters.used('a', windowMs)).toBe(2);
    });

    test('every key is counted by itself', async () => {
      const { counters, windowMs } = await setUp();
      await counters.take({ key: 'a', limit: 1, windowMs });
      expect(await counters.take({ key: 'b', limit: 1, windowMs })).toEqual({ kind: 'taken', used: 1 });
      expect(await counters.used('c', windowMs)).toBe(0);
    });

    test('an exhausted taker can take after the announced time, and not before', async () => {
      const { counters, windowMs, advance } = await setUp();
      const take = () => counters.take({ key: 'a', limit: 2, windowMs });
      await take();
      await advance(windowMs / 2);
      await take();
      const answer = await take();
      const wait = answer.kind === 'exhausted' ? (answer.retryAfterMs ?? 0) : 0;
      expect(wait).toBeGreaterThan(windowMs / 4);
      expect(wait).toBeLessThanOrEqual(windowMs / 2);
      await advance(wait / 2);
      expect((await take()).kind).toBe('exhausted');
      await advance(wait / 2 + 1);
      expect(await take()).toEqual({ kind: 'taken', used: 2 });
      expect((await take()).kind).toBe('exhausted');
    });

    test('a window slides: old takes no longer count', async () => {
      const { counters, windowMs, advance } = await setUp();
      await counters.take({ key: 'a', limit: 5, windowMs });
      await advance(windowMs * 0.6);
      await counters.take({ key: 'a', limit: 5, windowMs });
      expect(await counters.used('a', windowMs)).toBe(2);
      await advance(windowMs * 0.6);
      expect(await counters.used('a', windowMs)).toBe(1);
    });

    test('without a window the limit never resets', async () => {
      const { counters, windowMs, advance } = await setUp();
      const take = () => counters.take({ key: 'a', limit: 1, windowMs: null });
      expect(await take()).toEqual({ kind: 'taken', used: 1 });
      await advance(windowMs * 2);
      expect(await take()).toEqual({ kind: 'exhausted', used: 1, retryAfterMs: null });
      expect(await counters.used('a', null)).toBe(1);
    });

    test('a limit of zero refuses every take', async () => {
      const { counters, windowMs } = await setUp();
      expect(await counters.take({ key: 'a', limit: 0, windowMs })).toEqual({
        kind: 'exhausted',
        used: 0,
        retryAfterMs: null,
      });
    });

    test('concurrent takes succeed exactly as often as the limit allows', async () => {
      const { counters, windowMs } = await setUp();
      const takes = Array.from({ length: 20 }, () => counters.take({ key: 'a', limit: 7, windowMs }));
      const answers = await Promise.all(takes);
      expect(answers.filter(({ kind }) => kind === 'taken')).toHaveLength(7);
    });
  });
}
