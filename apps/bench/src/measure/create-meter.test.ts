import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { BenchAnswer } from '../drive/bench-client.ts';
import type { PlannedCommand } from '../plan/planned-command.ts';
import { createMeter, type MeterSample } from './create-meter.ts';

const COMMAND = { key: 0 } as PlannedCommand;
const COMPLETED: BenchAnswer = { commandId: 'cmd_x', outcome: 'completed', message: null };

test('a long run keeps evenly spaced samples, however long it takes, and the last one', async () => {
  const clock = createManualClock();
  const usage = () => ({ cpuUs: 0, rssBytes: 0, heapBytes: 0 });
  const seen: MeterSample[] = [];
  const meter = createMeter({ clock, everyMs: 500, usage, onSample: (sample) => seen.push(sample) });
  meter.watcher.sent(COMMAND);
  await clock.advance(9001 * 500);
  meter.stop();

  expect(seen.length).toBe(9002);
  const kept = meter.samples().map(({ atMs }) => atMs);
  expect(kept.length).toBeLessThanOrEqual(2000);
  expect(kept.at(-1)).toBe(seen.at(-1)?.atMs);
  const steps = kept.slice(1, -1).map((at, n) => at - (kept[n] ?? 0));
  expect(new Set(steps)).toEqual(new Set([4000]));
});

test('time begins with the first command, and an early last sample shows no inflated speed', async () => {
  const clock = createManualClock();
  let cpuUs = 0;
  const usage = () => ({ cpuUs, rssBytes: 0, heapBytes: 0 });
  const meter = createMeter({ clock, everyMs: 500, usage, onSample: () => undefined });
  // CPU time of opening the coordinator.
  cpuUs = 9_000_000;
  await clock.advance(3000);
  for (const steps of [500, 20]) {
    meter.watcher.sent(COMMAND);
    cpuUs += 100_000;
    await clock.advance(steps - 1);
    meter.watcher.answered(COMMAND, COMPLETED);
    await clock.advance(1);
  }
  meter.stop();
  const seen = meter.samples().map(({ atMs, perSecond, cpuPercent }) => ({ atMs, perSecond, cpuPercent }));
  expect(seen).toEqual([
    { atMs: 500, perSecond: 2, cpuPercent: 20 },
    { atMs: 520, perSecond: 2, cpuPercent: 500 },
  ]);
  expect(meter.cpuPercent()).toBeCloseTo(38.46, 2);
});
