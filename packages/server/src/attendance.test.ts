import { aCommandId, createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createAttendance } from './attendance.ts';

test('a command is cancelled where its sender, who said they attend it, has not come in time (F-W2)', async () => {
  const clock = createManualClock();
  const attendance = createAttendance(clock);
  const cancelled: string[] = [];
  const [kept, left, closed] = [aCommandId('a'), aCommandId('b'), aCommandId('c')];
  attendance.expect(kept, () => cancelled.push('kept'));
  attendance.expect(left, () => cancelled.push('left'));
  attendance.came(kept);
  await clock.advance(29_999);
  expect(cancelled).toEqual([]);
  await clock.advance(1);
  expect(cancelled).toEqual(['left']);
  attendance.expect(closed, () => cancelled.push('closed'));
  attendance.close();
  await clock.advance(60_000);
  expect(cancelled).toEqual(['left']);
});
