import { LeaseLostError } from '@signalbox/core';
import {
  aQueueEntry,
  createManualClock,
  createMemoryFiles,
  createMemoryScheduler,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { fencedFiles } from './fenced-files.ts';

async function setUp() {
  const clock = createManualClock();
  const scheduler = createMemoryScheduler(clock);
  const files = createMemoryFiles({ files: { 'a.ts': 'a' } });
  const answer = await scheduler.enqueue(aQueueEntry());
  if (answer.kind !== 'granted') throw new Error('not granted');
  const { lease } = answer;
  return {
    clock,
    scheduler,
    files,
    lease,
    fenced: fencedFiles(files, scheduler, { commandId: lease.commandId, hold: { lease: () => lease } }),
  };
}

test('under a living lease files are read and changed as usual', async () => {
  const { fenced, files } = await setUp();
  const { hash } = await fenced.readText('a.ts');
  await fenced.write('b.ts', 'b', { expected: 'absent' });
  await fenced.remove('a.ts', hash);
  expect(files.texts()).toEqual({ 'b.ts': 'b' });
});

test('under an expired or released lease, or one that can’t be checked, nothing is changed (L-35)', async () => {
  const ends = [
    async ({ clock, scheduler }: Awaited<ReturnType<typeof setUp>>) => clock.advance(scheduler.leaseTtlMs),
    async ({ scheduler, lease }: Awaited<ReturnType<typeof setUp>>) => scheduler.release(lease.leaseId),
  ];
  for (const end of ends) {
    const harness = await setUp();
    const { hash } = await harness.fenced.readText('a.ts');
    await end(harness);
    await expect(harness.fenced.write('b.ts', 'b', { expected: 'absent' })).rejects.toThrow(LeaseLostError);
    await expect(harness.fenced.remove('a.ts', hash)).rejects.toThrow(LeaseLostError);
    expect(harness.files.texts()).toEqual({ 'a.ts': 'a' });
  }
  const { files, scheduler, lease } = await setUp();
  const unreachable = { ...scheduler, isCurrent: () => Promise.reject(new Error('gone')) };
  const fenced = fencedFiles(files, unreachable, {
    commandId: lease.commandId,
    hold: { lease: () => lease },
  });
  await expect(fenced.write('b.ts', 'b', { expected: 'absent' })).rejects.toThrow('gone');
  expect(files.texts()).toEqual({ 'a.ts': 'a' });
});
