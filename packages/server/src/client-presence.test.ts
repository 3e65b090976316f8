import { aCommandId, createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createClientPresence } from './client-presence.ts';

test('a command is cancelled when its sender promised to attend it and does not come in time (F-W2)', async () => {
  const clock = createManualClock();
  const clientPresence = createClientPresence(clock);
  const cancelled: string[] = [];
  const [kept, left, closed] = [aCommandId('a'), aCommandId('b'), aCommandId('c')];
  clientPresence.expect(kept, () => cancelled.push('kept'));
  clientPresence.expect(left, () => cancelled.push('left'));
  clientPresence.arrived(kept);
  await clock.advance(29_999);
  expect(cancelled).toEqual([]);
  await clock.advance(1);
  expect(cancelled).toEqual(['left']);
  clientPresence.expect(closed, () => cancelled.push('closed'));
  clientPresence.close();
  await clock.advance(60_000);
  expect(cancelled).toEqual(['left']);
});
