import type { CommandId, Event } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createCommandMeter } from './create-command-meter.ts';

const [first, second] = [aCommandId('first'), aCommandId('second')];

/** An event with the fields that a meter reads. */
function event(
  type: Event['type'],
  commandId: CommandId,
  { at, more = {} }: Readonly<{ at: number; more?: object }>,
): Event {
  return { type, commandId, at, ...more } as Event;
}

test('waits, conflicts and times match the commands, and each time is reported once', () => {
  const { observe, take } = createCommandMeter();
  observe(event('command_submitted', first, { at: 100 }));
  observe(event('command_submitted', second, { at: 110 }));
  observe(event('command_queued', first, { at: 100, more: { blockers: [] } }));
  observe(event('command_queued', second, { at: 110, more: { blockers: [first] } }));
  expect(take()).toMatchObject({ waiting: 2, conflicts: 1, startMs: { count: 0 } });

  observe(event('command_started', first, { at: 130 }));
  expect(take()).toMatchObject({ waiting: 1, startMs: { p50: 30, count: 1 }, workMs: { count: 0 } });

  observe(event('command_completed', first, { at: 170 }));
  observe(event('command_started', second, { at: 171 }));
  observe(event('command_failed', second, { at: 181 }));
  expect(take()).toMatchObject({
    waiting: 0,
    conflicts: 1,
    startMs: { p50: 61, count: 1 },
    workMs: { p50: 10, max: 40, count: 2 },
  });
  expect(take()).toMatchObject({ startMs: { count: 0 }, workMs: { count: 0 } });
});

test('a shell line that is queued again for its writes has started once', () => {
  const { observe, take } = createCommandMeter();
  observe(event('command_submitted', first, { at: 0 }));
  observe(event('command_started', first, { at: 5 }));
  observe(event('command_queued', first, { at: 20, more: { blockers: [second] } }));
  expect(take()).toMatchObject({ waiting: 1, conflicts: 1, startMs: { p50: 5, count: 1 } });
  observe(event('command_started', first, { at: 30 }));
  observe(event('command_completed', first, { at: 40 }));
  expect(take()).toMatchObject({ waiting: 0, startMs: { count: 0 }, workMs: { p50: 35, count: 1 } });
});

test('a command that never started leaves the queue and has no times', () => {
  const { observe, take } = createCommandMeter();
  observe(event('command_submitted', first, { at: 0 }));
  observe(event('command_queued', first, { at: 1, more: { blockers: [] } }));
  observe(event('command_cancelled', first, { at: 9 }));
  expect(take()).toMatchObject({ waiting: 0, startMs: { count: 0 }, workMs: { count: 0 } });
});
