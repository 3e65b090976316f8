import { expect, test, vi } from 'vitest';
import { LeaseLostError } from '../../errors/errors.ts';
import type { Lease } from '../../leases/lease.ts';
import { aCommandId, aProviderId, aQueueEntry } from '../builders.ts';
import {
  leaseOf,
  openScheduler,
  read,
  ROOMY,
  setUp,
  type StartScheduler,
  UNHURRIED,
  write,
} from './scheduler-harness.ts';
import type { Timed } from '../timed.ts';

const TIMELESS = { ...ROOMY, ...UNHURRIED };

/** Notices, and how leases and waits end. */
export function schedulerLeaseContract(start: StartScheduler, { retry = 0 }: Timed): void {
  test('only a command that waited is reported as granted, with its lease', async () => {
    const bench = await setUp(start, TIMELESS);
    const first = await bench.enqueue('w1', [write('a.ts')]);
    await bench.enqueue('w2', [write('a.ts')]);
    expect(bench.granted()).toEqual([]);
    await bench.finish('w1');
    const { leases } = await bench.scheduler.snapshot();
    expect(bench.granted()).toEqual(leases);
    expect(leases).toMatchObject([
      { commandId: aCommandId('w2'), provider: aProviderId(), claims: [write('a.ts')] },
    ]);
    expect(first.kind).toBe('granted');
  });

  test('a listener receives the grants that came before it', async () => {
    const { scheduler, settle } = await openScheduler(start, TIMELESS);
    const first = await scheduler.enqueue(
      aQueueEntry({ commandId: aCommandId('a'), claims: [write('a.ts')] }),
    );
    await scheduler.enqueue(aQueueEntry({ commandId: aCommandId('b'), claims: [write('a.ts')] }));
    await scheduler.release(leaseOf(first).leaseId);
    await settle();
    const granted = vi.fn<(lease: Lease) => void>();
    scheduler.listen({ granted, stale: vi.fn<() => void>(), lost: vi.fn<() => void>() });
    await settle();
    expect(granted.mock.calls.map(([lease]) => lease.commandId)).toEqual([aCommandId('b')]);
  });

  test('fencing tokens only grow (L-35)', async () => {
    const bench = await setUp(start, TIMELESS);
    const tokens: number[] = [];
    for (const label of ['a', 'b', 'c']) {
      tokens.push(leaseOf(await bench.enqueue(label, [write('a.ts')])).fencingToken);
      await bench.finish(label);
    }
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
    expect(new Set(tokens).size).toBe(3);
  });

  test('a lease that is renewed in time stays valid (L-35)', { retry }, async () => {
    const bench = await setUp(start, ROOMY);
    const lease = leaseOf(await bench.enqueue('w', [write('a.ts')]));
    expect(lease.expiresAt - lease.grantedAt).toBe(bench.scheduler.leaseTtlMs);
    await bench.advance(bench.scheduler.leaseTtlMs * 0.6);
    const renewed = await bench.scheduler.renew(lease.leaseId);
    expect({ ...renewed, expiresAt: 0 }).toEqual({ ...lease, expiresAt: 0 });
    expect(renewed.expiresAt).toBeGreaterThan(lease.expiresAt);
    await bench.advance(bench.scheduler.leaseTtlMs * 0.6);
    expect(await bench.scheduler.isCurrent(lease)).toBe(true);
    expect(bench.lost()).toEqual([]);
  });

  test(
    'a lease that is not renewed is lost, reported once, and holds its claims and slot until it is released',
    { retry },
    async () => {
      const bench = await setUp(start, { maxConcurrent: 1 });
      const lease = leaseOf(await bench.enqueue('w1', [write('a.ts')]));
      await bench.enqueue('w2', [write('a.ts')]);
      await bench.advance(bench.scheduler.leaseTtlMs * 1.5);
      expect(bench.lost()).toEqual([aCommandId('w1')]);
      expect(await bench.scheduler.isCurrent(lease)).toBe(false);
      await expect(bench.scheduler.renew(lease.leaseId)).rejects.toThrow(LeaseLostError);
      expect(await bench.running()).toEqual(['w1']);
      await bench.finish('w1');
      expect(await bench.running()).toEqual(['w2']);
      expect(bench.lost()).toEqual([aCommandId('w1')]);
    },
  );

  test('each lease expires at its own time, counted from its last renewal', { retry }, async () => {
    const bench = await setUp(start, ROOMY);
    const renewed = leaseOf(await bench.enqueue('renewed', [write('a.ts')]));
    await bench.enqueue('forgotten', [write('b.ts')]);
    await bench.advance(bench.scheduler.leaseTtlMs * 0.6);
    await bench.scheduler.renew(renewed.leaseId);
    await bench.advance(bench.scheduler.leaseTtlMs * 0.6);
    expect(bench.lost()).toEqual([aCommandId('forgotten')]);
    await bench.advance(bench.scheduler.leaseTtlMs * 0.6);
    expect(bench.lost()).toEqual([aCommandId('forgotten'), aCommandId('renewed')]);
  });

  test('a released lease is neither current nor renewed, and releasing it again does nothing', async () => {
    const bench = await setUp(start, TIMELESS);
    const lease = leaseOf(await bench.enqueue('w1', [write('a.ts')]));
    expect(await bench.scheduler.isCurrent(lease)).toBe(true);
    await bench.finish('w1');
    await bench.enqueue('w2', [write('a.ts')]);
    await bench.scheduler.release(lease.leaseId);
    expect(await bench.running()).toEqual(['w2']);
    expect(await bench.scheduler.isCurrent(lease)).toBe(false);
    await expect(bench.scheduler.renew(lease.leaseId)).rejects.toThrow(LeaseLostError);
  });

  test(
    'a command that waited too long leaves the queue, and those behind it move up',
    { retry },
    async () => {
      const bench = await setUp(start, { maxConcurrent: 2 });
      await bench.enqueue('r1', [read('a.ts')]);
      await bench.enqueue('w', [write('a.ts')]);
      await bench.advanceRenewing(bench.limits.maxWaitMs * 0.7);
      await bench.enqueue('r2', [read('a.ts')]);
      expect(bench.stale()).toEqual([]);
      await bench.advanceRenewing(bench.limits.maxWaitMs * 0.5);
      expect(bench.stale().map(([id]) => id)).toEqual([aCommandId('w')]);
      expect(bench.stale()[0]?.[1]).toBeGreaterThanOrEqual(bench.limits.maxWaitMs);
      expect(await bench.running()).toEqual(['r1', 'r2']);
    },
  );

  test('each waiting command goes stale at its own time', { retry }, async () => {
    const bench = await setUp(start, { maxConcurrent: 1 });
    await bench.enqueue('running', []);
    await bench.enqueue('first', []);
    await bench.advanceRenewing(bench.limits.maxWaitMs * 0.5);
    await bench.enqueue('second', []);
    await bench.advanceRenewing(bench.limits.maxWaitMs * 0.7);
    expect(bench.stale().map(([id]) => id)).toEqual([aCommandId('first')]);
    await bench.advanceRenewing(bench.limits.maxWaitMs * 0.5);
    expect(bench.stale().map(([id]) => id)).toEqual([aCommandId('first'), aCommandId('second')]);
  });

  test('the snapshot shows what each command waits for, at most twenty of them', async () => {
    const bench = await setUp(start, TIMELESS);
    const readers = Array.from({ length: 25 }, (_, i) => `r${i}`);
    for (const reader of readers) await bench.enqueue(reader, [read('a.ts')]);
    const first20 = readers.slice(0, 20).map((label) => aCommandId(label));
    const entry = aQueueEntry({ commandId: aCommandId('w'), claims: [write('a.ts')], priority: 7 });
    expect(await bench.scheduler.enqueue(entry)).toEqual({ kind: 'waiting', blockers: first20 });
    expect((await bench.scheduler.snapshot()).waiting).toEqual([
      { ...entry, since: expect.any(Number) as number, blockers: first20 },
    ]);
  });
}
