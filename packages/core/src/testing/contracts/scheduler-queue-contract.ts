import { expect, test } from 'vitest';
import { writeClaim } from '../../leases/claim.ts';
import { InvariantError } from '../../errors/errors.ts';
import { treeResource, WORKSPACE } from '../../leases/resource.ts';
import { aCommandId, aProviderId, aQueueEntry } from '../builders.ts';
import { read, ROOMY, setUp, type StartScheduler, waitingBehind, write } from './scheduler-harness.ts';

/** Which commands run together, which comes next, and which are refused. */
export function schedulerQueueContract(start: StartScheduler): void {
  test('a writer waits for every earlier reader of the same file (S003-13, U-08)', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('r1', [read('src/a.ts')]);
    await bench.enqueue('r2', [read('src/a.ts')]);
    expect(await bench.enqueue('w', [write('src/a.ts')])).toEqual(waitingBehind('r1', 'r2'));
    await bench.finish('r1');
    expect(await bench.running()).toEqual(['r2']);
    await bench.finish('r2');
    expect(await bench.running()).toEqual(['w']);
  });

  test('a reader does not overtake a waiting writer', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('r1', [read('src/a.ts')]);
    await bench.enqueue('w', [write('src/a.ts')]);
    expect(await bench.enqueue('r2', [read('src/a.ts')])).toEqual(waitingBehind('w'));
    expect(await bench.running()).toEqual(['r1']);
    await bench.finish('r1');
    expect(await bench.running()).toEqual(['w']);
    await bench.finish('w');
    expect(await bench.running()).toEqual(['r2']);
  });

  test('commands on different files run at the same time', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('a', [write('src/a.ts')]);
    await bench.enqueue('b', [write('src/b.ts')]);
    await bench.enqueue('c', [read('README.md')]);
    expect(await bench.running()).toEqual(['a', 'b', 'c']);
  });

  test('a writer of a directory waits for those inside it, and later ones wait for it', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('in', [write('src/deep/a.ts')]);
    await bench.enqueue('tree', [writeClaim(treeResource('src'))]);
    await bench.enqueue('late', [read('src/b.ts')]);
    await bench.enqueue('beside', [write('docs/a.md')]);
    expect(await bench.running()).toEqual(['beside', 'in']);
    await bench.finish('in');
    expect(await bench.running()).toEqual(['beside', 'tree']);
    await bench.finish('tree');
    expect(await bench.running()).toEqual(['beside', 'late']);
  });

  test('a writer of the workspace runs alone', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('r', [read('a.ts')]);
    await bench.enqueue('all', [writeClaim(WORKSPACE)]);
    await bench.enqueue('w', [write('b.ts')]);
    expect(await bench.running()).toEqual(['r']);
    await bench.finish('r');
    expect(await bench.running()).toEqual(['all']);
    await bench.finish('all');
    expect(await bench.running()).toEqual(['w']);
  });

  test('a command that waits for one of two files holds neither, and keeps its position on both (L-37)', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('a1', [write('a.ts')]);
    await bench.enqueue('both', [write('a.ts'), write('b.ts')]);
    expect(await bench.enqueue('b1', [write('b.ts')])).toEqual(waitingBehind('both'));
    expect((await bench.scheduler.snapshot()).leases.map(({ commandId }) => commandId)).toEqual([
      aCommandId('a1'),
    ]);
    await bench.finish('a1');
    expect(await bench.running()).toEqual(['both']);
    await bench.finish('both');
    expect(await bench.running()).toEqual(['b1']);
  });

  test('a command without a slot waits only for its claims, and is never refused for a full queue', async () => {
    const bench = await setUp(start, { maxConcurrent: 1, maxQueuePerProvider: 1 });
    await bench.enqueue('runs', [write('a.ts')]);
    await bench.enqueue('waits', [write('c.ts')]);
    await bench.enqueue('putb', [write('b.ts')], { placeless: true });
    expect(await bench.running()).toEqual(['putb', 'runs']);
    expect(await bench.enqueue('puta', [write('a.ts')], { placeless: true })).toEqual(waitingBehind('runs'));
    expect(await bench.enqueue('putc', [write('c.ts')], { placeless: true })).toEqual(waitingBehind('waits'));
    await bench.finish('runs');
    expect(await bench.running()).toEqual(['puta', 'putb']);
    await bench.finish('puta');
    await bench.finish('putb');
    expect(await bench.running()).toEqual(['waits']);
    await bench.finish('waits');
    expect(await bench.running()).toEqual(['putc']);
  });

  test('two commands that claim the same two files in opposite order do not deadlock', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('ab', [write('a.ts'), write('b.ts')]);
    await bench.enqueue('ba', [write('b.ts'), write('a.ts')]);
    expect(await bench.running()).toEqual(['ab']);
    await bench.finish('ab');
    expect(await bench.running()).toEqual(['ba']);
  });

  test('a cancelled waiting command makes way for those behind it', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('r1', [read('a.ts')]);
    await bench.enqueue('w', [write('a.ts')]);
    await bench.enqueue('r2', [read('a.ts')]);
    expect(await bench.scheduler.cancel(aCommandId('w'))).toBe(true);
    expect(await bench.running()).toEqual(['r1', 'r2']);
    expect(await bench.scheduler.cancel(aCommandId('w'))).toBe(false);
  });

  test('a command under a lease is not cancelled by the queue', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('w', [write('a.ts')]);
    expect(await bench.scheduler.cancel(aCommandId('w'))).toBe(false);
    expect(await bench.running()).toEqual(['w']);
  });

  test('at most `maxConcurrent` run at once, and a slot goes to the lowest priority, then the earliest', async () => {
    const bench = await setUp(start, { maxConcurrent: 2 });
    await bench.enqueue('a', []);
    await bench.enqueue('b', []);
    expect(await bench.enqueue('late', [], { priority: 50 })).toEqual(waitingBehind());
    await bench.enqueue('later', [], { priority: 50 });
    await bench.enqueue('first', [], { priority: 1 });
    await bench.finish('a');
    expect(await bench.running()).toEqual(['b', 'first']);
    await bench.finish('first');
    expect(await bench.running()).toEqual(['b', 'late']);
    await bench.finish('b');
    expect(await bench.running()).toEqual(['late', 'later']);
  });

  test('priority does not carry a command past an earlier one that it conflicts with', async () => {
    const bench = await setUp(start, { maxConcurrent: 1 });
    await bench.enqueue('running', []);
    await bench.enqueue('w1', [write('a.ts')], { priority: 900 });
    await bench.enqueue('w2', [write('a.ts')], { priority: 0 });
    await bench.finish('running');
    expect(await bench.running()).toEqual(['w1']);
  });

  test('a waiting command with a new priority gets its slot by that one (S003-74)', async () => {
    const bench = await setUp(start, { maxConcurrent: 1 });
    await bench.enqueue('running', [write('a.ts')]);
    await bench.enqueue('b', [], { priority: 100 });
    await bench.enqueue('c', [], { priority: 100 });
    await bench.enqueue('blocked', [write('a.ts')], { priority: 100 });
    await bench.enqueue('sunk', [], { priority: 1 });
    expect(await bench.scheduler.prioritize(aCommandId('c'), 50)).toBe(true);
    expect(await bench.scheduler.prioritize(aCommandId('blocked'), 0)).toBe(true);
    expect(await bench.scheduler.prioritize(aCommandId('sunk'), 900)).toBe(true);
    expect(await bench.scheduler.prioritize(aCommandId('running'), 0)).toBe(false);
    expect(await bench.scheduler.prioritize(aCommandId('unknown'), 0)).toBe(false);
    const { waiting } = await bench.scheduler.snapshot();
    expect(waiting.map(({ priority }) => priority)).toEqual([100, 50, 0, 900]);
    const order: (readonly string[])[] = [];
    for (let last = 'running'; order.length < 4; last = order.at(-1)?.[0] ?? '') {
      await bench.finish(last);
      order.push(await bench.running());
    }
    expect(order.flat()).toEqual(['blocked', 'c', 'b', 'sunk']);
  });

  test('a priority set during the wait moves no command past an earlier one that it conflicts with', async () => {
    const bench = await setUp(start, ROOMY);
    await bench.enqueue('w1', [write('a.ts')]);
    await bench.enqueue('w2', [write('a.ts')]);
    await bench.enqueue('w3', [write('a.ts')]);
    expect(await bench.scheduler.prioritize(aCommandId('w3'), 0)).toBe(true);
    await bench.finish('w1');
    expect(await bench.running()).toEqual(['w2']);
  });

  test('a cancelled command that only waited for a slot leaves its turn to the next', async () => {
    const bench = await setUp(start, { maxConcurrent: 1 });
    await bench.enqueue('running', []);
    await bench.enqueue('b', []);
    await bench.enqueue('c', []);
    expect(await bench.scheduler.cancel(aCommandId('b'))).toBe(true);
    await bench.finish('running');
    expect(await bench.running()).toEqual(['c']);
  });

  test('a provider with its maximum of waiting commands is refused, and others are not (X-35)', async () => {
    const bench = await setUp(start, { maxConcurrent: 1, maxQueuePerProvider: 2 });
    await bench.enqueue('running', [write('a.ts')]);
    await bench.enqueue('w1', [write('a.ts')]);
    await bench.enqueue('place', []);
    expect(await bench.enqueue('w3', [write('a.ts')])).toEqual({ kind: 'refused', waiting: 2, limit: 2 });
    const other = { provider: aProviderId('openai') };
    expect(await bench.enqueue('other', [write('a.ts')], other)).toEqual(waitingBehind('running', 'w1'));
    await bench.finish('running');
    await bench.finish('w1');
    expect(await bench.running()).toEqual(['other']);
    expect((await bench.enqueue('w3', [write('a.ts')])).kind).toBe('waiting');
  });

  test('a refused command leaves no trace', async () => {
    const bench = await setUp(start, { maxConcurrent: 1, maxQueuePerProvider: 1 });
    await bench.enqueue('running', []);
    await bench.enqueue('waits', []);
    await bench.enqueue('refused', [write('a.ts')]);
    await bench.enqueue('other', [write('a.ts')], { provider: aProviderId('openai') });
    const { waiting } = await bench.scheduler.snapshot();
    expect(waiting.map(({ commandId, blockers }) => [commandId, blockers])).toEqual([
      [aCommandId('waits'), []],
      [aCommandId('other'), []],
    ]);
  });

  test('a command that is already in the coordinator is not accepted again', async () => {
    const bench = await setUp(start, { maxConcurrent: 1 });
    await bench.enqueue('running', []);
    await bench.enqueue('waits', []);
    await expect(bench.scheduler.enqueue(aQueueEntry({ commandId: aCommandId('running') }))).rejects.toThrow(
      InvariantError,
    );
    await expect(bench.scheduler.enqueue(aQueueEntry({ commandId: aCommandId('waits') }))).rejects.toThrow(
      InvariantError,
    );
  });
}
