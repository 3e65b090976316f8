import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { pressureOf, type Room, roomAt, watchPressure } from './watch-pressure.ts';

const MIB = 1024 * 1024;
const PLENTY: Room = { memory: 1000 * MIB, disk: 1000 * MIB };

test('a full disk and used up memory are pressure, with how much is left', () => {
  expect(pressureOf(PLENTY)).toBeUndefined();
  expect(pressureOf({ ...PLENTY, disk: 63.9 * MIB })).toBe(
    'only 63 MB are left on the disk of the workspace',
  );
  expect(pressureOf({ ...PLENTY, memory: 5 * MIB })).toBe('only 5 MB of memory are left');
  expect(pressureOf({ memory: 64 * MIB, disk: 64 * MIB })).toBeUndefined();
});

test('pressure is looked for now and then until it is stopped, and told each time', async () => {
  const clock = createManualClock();
  const told: string[] = [];
  const rooms: (Room | Error)[] = [PLENTY, new Error('gone'), { ...PLENTY, disk: 0 }];
  const stop = watchPressure({
    clock,
    async room() {
      const next = rooms.shift() ?? { ...PLENTY, memory: 0 };
      if (next instanceof Error) throw next;
      return next;
    },
    onPressure: (reason) => told.push(reason),
  });
  await clock.advance(9_999);
  expect(rooms).toHaveLength(3);
  await clock.advance(20_001);
  expect(told).toEqual(['only 0 MB are left on the disk of the workspace']);
  await clock.advance(10_000);
  expect(told).toHaveLength(2);
  stop();
  await clock.advance(60_000);
  expect(told).toHaveLength(2);
});

test('what is left of this machine can be told', async () => {
  const { memory, disk } = await roomAt('.');
  expect(memory).toBeGreaterThan(0);
  expect(disk).toBeGreaterThan(0);
});
