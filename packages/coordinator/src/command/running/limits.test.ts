import { createToolRegistry } from '@signalbox/core';
import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createHarness, FREE } from '../../testing/coordinator-harness.ts';

const HOUR_MS = 3_600_000;

test('the rate of a tool counts the calls of the last hour, in a sliding window (Q1, S000-41)', async () => {
  const harness = createHarness(FREE);
  const rated = harness.tools.list.map((tool) => ({ ...tool, rateLimitPerHour: 2 }));
  const coordinator = await harness.start({ tools: createToolRegistry(rated) });
  let calls = 0;
  const call = async () =>
    (await harness.submit(coordinator, 'echo', { text: `${++calls}` }).result).outcome.kind;
  expect(await call()).toBe('completed');
  await harness.clock.advance(1000);
  expect([await call(), await call()]).toEqual(['completed', 'denied']);
  await harness.clock.advance(HOUR_MS - 1001);
  expect(await call()).toBe('denied');
  await harness.clock.advance(2);
  expect([await call(), await call()]).toEqual(['completed', 'denied']);
});

test('a rate limit says whether to try again: not if that takes more than a minute (Q1, S001-95)', async () => {
  const harness = createHarness({ ...FREE, providers: { openai: { rate_limit_per_hour: 1 } } });
  const coordinator = await harness.start();
  const call = async () => (await harness.submit(coordinator, 'echo', { text: 'a' }).result).content;
  await call();
  expect(await call()).toMatch(/the next is free in 3600 s\n.*\nretryable: false/);
  await harness.clock.advance(HOUR_MS - 60_000);
  expect(await call()).toMatch(/the next is free in 60 s\n.*\nretryable: true/);
});

test('an exhausted rate refuses the call by its own name, without an approval request (Q1, X-06)', async () => {
  const harness = createHarness();
  const rated = harness.tools.list.map((tool) => ({ ...tool, rateLimitPerHour: 1 }));
  const coordinator = await harness.start({ tools: createToolRegistry(rated) });
  const first = harness.submit(coordinator, 'hold', { path: 'a' });
  expect(await first.resting).toBe('pending');
  const second = harness.submit(coordinator, 'hold', { path: 'b' });
  expect((await second.result).failure).toMatchObject({
    code: 'rate_limited',
    category: 'RateLimited',
    message: 'Rate limit exceeded: hold may be called 1 time an hour; the next is free in 3600 s',
  });
  expect(await coordinator.approvals.pending()).toHaveLength(1);
});

test('an exhausted session quota refuses by its own name, for good, and for that session only (Q2, S001-127, X-35)', async () => {
  const harness = createHarness({ ...FREE, tools: { max_tool_calls_per_session: 1 } });
  const coordinator = await harness.start();
  const call = (more = {}) => harness.submit(coordinator, 'echo', { text: 'a' }, more).result;
  expect((await call()).outcome.kind).toBe('completed');
  await harness.clock.advance(2 * HOUR_MS);
  expect((await call()).failure).toMatchObject({
    code: 'quota_blocked',
    category: 'RateLimited',
    message: 'The quota of this session is used up: 1 call',
  });
  expect((await call({ sessionId: 'ses_nmkjhgfedcba' as never })).outcome.kind).toBe('completed');
});

test('an exhausted provider rate refuses by its own name, whatever the tool and session (Q3, S004-33, X-35)', async () => {
  const harness = createHarness({ ...FREE, providers: { openai: { rate_limit_per_hour: 1 } } });
  const coordinator = await harness.start();
  const call = (more = {}) => harness.submit(coordinator, 'echo', { text: 'a' }, more).result;
  await call();
  expect((await call({ sessionId: 'ses_nmkjhgfedcba' as never })).failure).toMatchObject({
    code: 'provider_rate_limited',
    message: 'Rate limit exceeded: provider openai may make 1 call an hour; the next is free in 3600 s',
  });
  expect((await call({ provider: aProviderId('deepseek') })).outcome.kind).toBe('completed');
});

test('internal retries are free: only first attempts count (Q2, S001-126, S000-68, S004-28, X-17)', async () => {
  const harness = createHarness({ ...FREE, tools: { max_tool_calls_per_session: 2, retry: { base_ms: 0 } } });
  const coordinator = await harness.start();
  const flaky = harness.submit(coordinator, 'flaky', { text: 'a' });
  for (let wait = 0; wait < 20; wait++) await harness.clock.advance(100);
  expect((await flaky.result).outcome.kind).toBe('completed');
  expect(harness.tools.handled).toHaveLength(2);
  expect((await harness.submit(coordinator, 'echo', { text: 'b' }).result).outcome.kind).toBe('completed');
  expect((await harness.submit(coordinator, 'echo', { text: 'c' }).result).failure?.code).toBe(
    'quota_blocked',
  );
});

test('a call that is refused anyway costs nothing', async () => {
  const harness = createHarness({ ...FREE, tools: { max_tool_calls_per_session: 1 } });
  const coordinator = await harness.start();
  const call = (line: string) => harness.submit(coordinator, 'shell', { line }).result;
  expect((await call('sudo ls')).outcome.kind).toBe('blocked');
  expect((await call('ls')).failure?.code).not.toBe('quota_blocked');
});
