import { ProviderError, type ProviderErrorKind } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { read, setUpHarness } from './testing/session-harness.ts';

const DONE = { kind: 'answer', text: 'Done.' } as const;

test('a turn that failed for a transient reason is retried after a delay', async () => {
  const harness = setUpHarness([{ kind: 'server-error' }, DONE]);
  const session = harness.start();
  await harness.reported('turn_failed');
  const failed = harness.events.find((event) => event.type === 'turn_failed');
  expect(failed).toMatchObject({ turn: 1, attempt: 1, kind: 'ServerError' });
  const waitMs = failed?.type === 'turn_failed' ? (failed.retryInMs ?? -1) : -1;
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(500);
  await harness.clock.advance(waitMs - 1);
  expect(harness.provider.requests).toHaveLength(1);
  await harness.clock.advance(1);
  expect(await session.finished).toMatchObject({ finish: 'finished', turns: 1, durationMs: waitMs });
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: 'turn_started', turn: 1, attempt: 2 }),
  );
  expect(harness.provider.requests[1]).toEqual(harness.provider.requests[0]);
});

test('a turn that breaks off in its middle is retried as a whole, and its partial text is dropped', async () => {
  const harness = setUpHarness([{ kind: 'truncated', text: 'I will ca' }, DONE]);
  const session = harness.start();
  await harness.reported('turn_failed');
  await harness.clock.advance(500);
  expect(await session.finished).toMatchObject({ finish: 'finished', message: 'Done.' });
  expect(JSON.stringify(harness.provider.requests[1])).not.toContain('I will ca');
});

test('the second failure of a turn ends the session', async () => {
  const harness = setUpHarness([{ kind: 'server-error' }, { kind: 'server-error' }, DONE]);
  const session = harness.start();
  await harness.reported('turn_failed');
  await harness.clock.advance(500);
  expect(await session.finished).toMatchObject({ finish: 'failed', message: 'Internal error', turns: 0 });
  expect(harness.provider.requests).toHaveLength(2);
});

test('a delay requested by the server is respected', async () => {
  const harness = setUpHarness([{ kind: 'rate-limited', retryAfterMs: 12_000 }, DONE]);
  const session = harness.start();
  await harness.reported('turn_failed');
  await harness.clock.advance(11_999);
  expect(harness.provider.requests).toHaveLength(1);
  await harness.clock.advance(1);
  expect(await session.finished).toMatchObject({ finish: 'finished' });
});

test('a delay that exceeds the budget ends the session at once (S001-100)', async () => {
  const harness = setUpHarness([{ kind: 'rate-limited', retryAfterMs: 30_001 }, DONE]);
  expect(await harness.start().finished).toMatchObject({ finish: 'failed', message: 'Slow down' });
  expect(harness.events).toContainEqual(expect.objectContaining({ type: 'turn_failed', retryInMs: null }));
});

test('the delays of all turns share one budget', async () => {
  const limited = { kind: 'rate-limited', retryAfterMs: 16_000 } as const;
  const harness = setUpHarness([limited, { kind: 'answer', calls: [read('c1')] }, limited, DONE], () => ({
    content: 'aaa',
  }));
  const session = harness.start();
  await harness.reported('turn_failed');
  await harness.clock.advance(16_000);
  expect(await session.finished).toMatchObject({ finish: 'failed', turns: 1, calls: [{ callId: 'c1' }] });
});

describe('a permanent error', () => {
  const kinds: readonly (readonly [ProviderErrorKind, string])[] = [
    ['InvalidParameters', 'failed'],
    ['Auth', 'failed'],
    ['Quota', 'failed'],
    ['ContextTooLong', 'failed'],
    ['Refused', 'refused'],
  ];
  test.each(kinds)('%s ends the session as %s, at once', async (kind, finish) => {
    const harness = setUpHarness([new ProviderError(kind, 'it is so'), DONE]);
    expect(await harness.start().finished).toMatchObject({ finish, message: 'it is so' });
    expect(harness.provider.requests).toHaveLength(1);
  });
});

test('a bug in a provider ends the session without showing details to people', async () => {
  const bug = (): never => {
    throw new TypeError('undefined is not a function');
  };
  const harness = setUpHarness([bug, DONE]);
  const { finish, message } = await harness.start().finished;
  expect({ finish, message }).toEqual({
    finish: 'failed',
    message: 'Provider "anthropic" failed inside Signalbox',
  });
});

test('a provider stream without a final event is retried', async () => {
  const harness = setUpHarness([DONE]);
  let asked = 0;
  const provider: typeof harness.provider = {
    ...harness.provider,
    async *stream(request, limits) {
      asked += 1;
      if (asked === 1) yield { kind: 'text', delta: 'I' };
      else yield* harness.provider.stream(request, limits);
    },
  };
  const session = harness.start({ provider });
  await harness.reported('turn_failed');
  await harness.clock.advance(500);
  expect(await session.finished).toMatchObject({ finish: 'finished' });
});
