import { expect, test } from 'vitest';
import { aCommandId, aProviderId } from '../builders.ts';
import { setUp, type StartScheduler, waitingBehind, write } from './scheduler-harness.ts';

const anthropic = { provider: aProviderId('anthropic') };
const openai = { provider: aProviderId('openai') };
const local = { provider: aProviderId('local') };

/** How slots are shared among providers of the same priority (F5, F8). */
export function schedulerShareContract(start: StartScheduler): void {
  test('a free slot goes to the provider that holds the fewest, however many another has waiting', async () => {
    const bench = await setUp(start, { maxConcurrent: 3 });
    for (const label of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) await bench.enqueue(label, [], anthropic);
    await bench.enqueue('b1', [], openai);
    await bench.enqueue('b2', [], openai);
    await bench.finish('a1');
    expect(await bench.running()).toEqual(['a2', 'a3', 'b1']);
    await bench.finish('a2');
    expect(await bench.running()).toEqual(['a3', 'a4', 'b1']);
    await bench.finish('a3');
    expect(await bench.running()).toEqual(['a4', 'b1', 'b2']);
  });

  test('providers that hold equally many take turns', async () => {
    const bench = await setUp(start, { maxConcurrent: 1 });
    for (const label of ['a1', 'a2', 'a3']) await bench.enqueue(label, [], anthropic);
    for (const label of ['b1', 'b2', 'b3']) await bench.enqueue(label, [], openai);
    const order: string[] = [];
    for (let [next] = await bench.running(); next !== undefined; [next] = await bench.running()) {
      order.push(next);
      await bench.finish(next);
    }
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'b3']);
  });

  test('providers that send one command after another do not keep out one that waits', async () => {
    const bench = await setUp(start, { maxConcurrent: 1 });
    await bench.enqueue('a1', [], anthropic);
    await bench.enqueue('a2', [], anthropic);
    await bench.enqueue('b1', [], openai);
    await bench.finish('a1');
    await bench.enqueue('c1', [], local);
    await bench.finish('a2');
    expect(await bench.running()).toEqual(['b1']);
    await bench.enqueue('a3', [], anthropic);
    await bench.finish('b1');
    await bench.enqueue('b2', [], openai);
    expect(await bench.running()).toEqual(['c1']);
    await bench.finish('c1');
    expect(await bench.running()).toEqual(['a3']);
  });

  test('priority comes before shares, and waiting for a file takes no share', async () => {
    const bench = await setUp(start, { maxConcurrent: 2 });
    await bench.enqueue('a1', [write('a.ts')], anthropic);
    await bench.enqueue('a2', [], anthropic);
    await bench.enqueue('b1', [write('a.ts')], openai);
    await bench.enqueue('first', [], { ...anthropic, priority: 1 });
    await bench.enqueue('b2', [], openai);
    await bench.finish('a2');
    expect(await bench.running()).toEqual(['a1', 'first']);
    await bench.finish('first');
    expect(await bench.running()).toEqual(['a1', 'b2']);
  });

  test('a command that was refused or cancelled leaves its provider no turn', async () => {
    const bench = await setUp(start, { maxConcurrent: 1, maxQueuePerProvider: 1 });
    await bench.enqueue('a1', [], anthropic);
    await bench.enqueue('b1', [], openai);
    expect((await bench.enqueue('b2', [], openai)).kind).toBe('refused');
    await bench.scheduler.cancel(aCommandId('b1'));
    await bench.enqueue('c1', [], local);
    expect(await bench.enqueue('b3', [], openai)).toEqual(waitingBehind());
    await bench.finish('a1');
    expect(await bench.running()).toEqual(['c1']);
  });
}
