import { describe, expect, onTestFinished, test } from 'vitest';
import type { Facts } from '../../ports/facts.ts';

/** No facts yet. */
export type FactsHarness = { readonly facts: Facts; close(): Promise<void> };

/** The contract of every `Facts`. */
export function factsContract(name: string, start: () => Promise<FactsHarness>): void {
  async function setUp(): Promise<Facts> {
    const harness = await start();
    onTestFinished(() => harness.close());
    return harness.facts;
  }

  describe(`${name} keeps the facts' contract:`, () => {
    test('a fact that was never set is undefined, and a set one is the last value', async () => {
      const facts = await setUp();
      expect(await facts.get('mode')).toBeUndefined();
      await facts.set('mode', { name: 'NORMAL', since: 1 });
      await facts.set('mode', { name: 'ALERT', since: 2 });
      expect(await facts.get('mode')).toEqual({ name: 'ALERT', since: 2 });
      expect(await facts.get('other')).toBeUndefined();
    });

    test('null is a value, not the lack of one', async () => {
      const facts = await setUp();
      await facts.set('mode', null);
      expect(await facts.get('mode')).toBeNull();
      expect(await facts.compareAndSet('mode', { expected: undefined, value: 1 })).toBe(false);
      expect(await facts.compareAndSet('mode', { expected: null, value: 1 })).toBe(true);
    });

    test('compareAndSet() sets only over the expected value, for any order of its keys', async () => {
      const facts = await setUp();
      expect(await facts.compareAndSet('a', { expected: { x: 1, y: [2] }, value: 'new' })).toBe(false);
      expect(await facts.get('a')).toBeUndefined();
      expect(await facts.compareAndSet('a', { expected: undefined, value: { x: 1, y: [2] } })).toBe(true);
      expect(await facts.compareAndSet('a', { expected: { x: 1, y: [3] }, value: 'new' })).toBe(false);
      expect(await facts.compareAndSet('a', { expected: { y: [2], x: 1 }, value: 'new' })).toBe(true);
      expect(await facts.get('a')).toBe('new');
    });

    test('one of two concurrent compareAndSet() succeeds', async () => {
      const facts = await setUp();
      const answers = await Promise.all(
        ['one', 'two'].map((value) => facts.compareAndSet('a', { expected: undefined, value })),
      );
      expect(answers.filter((set) => set)).toHaveLength(1);
    });
  });
}
