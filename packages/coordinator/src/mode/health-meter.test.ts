import type { Event, NewEvent } from '@signalbox/core';
import { aCommandId, aProviderId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createHealthMeter } from './health-meter.ts';

const of = {
  commandId: aCommandId('a'),
  sessionId: aSessionId(),
  provider: aProviderId('openai'),
  title: 'bash x',
  tool: 'bash',
  durationMs: 1,
  latencyMs: 1,
};

function at(event: NewEvent, ms = 0): Event {
  return { ...event, id: '1-1' as Event['id'], at: ms };
}

function failed(reason: string, ms = 0): Event {
  return at({ type: 'command_failed', ...of, outcome: 'failed', exitCode: null, reason, message: '' }, ms);
}

const completed = (ms = 0): Event => at({ type: 'command_completed', ...of, exitCode: 0 }, ms);

test.for(['disk-full', 'audit-unavailable', 'out-of-memory', 'sandbox_error'])(
  '%s is trouble at once',
  (reason) => {
    expect(createHealthMeter().saw(failed(reason))).toMatchObject({ reason: expect.any(String) });
  },
);

test('failing tests and missing files are no trouble, however many', () => {
  const meter = createHealthMeter();
  for (let n = 0; n < 50; n++)
    for (const reason of ['exit-code', 'not-found', 'stale-write', 'commit-conflict', 'command_not_confined'])
      expect(meter.saw(failed(reason))).toBeUndefined();
});

test('from the tenth ending on, it is trouble if half of the last commands failed, timed out or were lost', () => {
  const meter = createHealthMeter();
  for (let n = 0; n < 5; n++) expect(meter.saw(completed())).toBeUndefined();
  for (let n = 0; n < 4; n++) expect(meter.saw(failed('timeout'))).toBeUndefined();
  expect(meter.saw(failed('lost'))).toEqual({
    reason: '5 of the last 10 commands failed, timed out or were lost',
  });
});

test('endings before the window, or before a mode was set, do not count', () => {
  const meter = createHealthMeter();
  for (let n = 0; n < 9; n++) meter.saw(failed('timeout'));
  expect(meter.saw(failed('timeout', 600_000))).toBeUndefined();
  for (let n = 0; n < 8; n++) expect(meter.saw(failed('timeout', 600_001))).toBeUndefined();
  meter.saw(at({ type: 'mode_changed', from: 'DEGRADED', to: 'NORMAL', by: 'ana', reason: 'fixed' }));
  expect(meter.saw(failed('timeout', 600_002))).toBeUndefined();
});
