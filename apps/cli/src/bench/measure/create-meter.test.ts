import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createMeter, type Sample } from './create-meter.ts';

test('a long run keeps looks that are equally far apart, however long it takes, and the last one', async () => {
  const clock = createManualClock();
  const usage = () => ({ cpuUs: 0, rssBytes: 0, heapBytes: 0 });
  const seen: Sample[] = [];
  const meter = createMeter({ clock, everyMs: 500, usage, onSample: (sample) => seen.push(sample) });
  await clock.advance(9001 * 500);
  meter.stop();

  expect(seen.length).toBe(9002);
  const kept = meter.samples().map(({ atMs }) => atMs);
  expect(kept.length).toBeLessThanOrEqual(2000);
  expect(kept.at(-1)).toBe(seen.at(-1)?.atMs);
  const steps = kept.slice(1, -1).map((at, n) => at - (kept[n] ?? 0));
  expect(new Set(steps)).toEqual(new Set([4000]));
});
