import { aProviderId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import type { Coordinator } from '../coordinator-api.ts';
import { createHarness, FREE } from '../testing/coordinator-harness.ts';
import type { OfferRequest } from './offer.ts';

const RULES = { hold: { requires: ['echo'] } };
const SETTINGS = { ...FREE, tools: { dependencies: { enabled: true, rules: RULES } } };
const SESSION = { sessionId: aSessionId(), provider: aProviderId('openai') };

async function namesOffered(coordinator: Coordinator, more: Partial<OfferRequest> = {}): Promise<string[]> {
  const offer = await coordinator.offers.of({
    session: SESSION,
    declared: null,
    caller: 'native',
    task: '',
    ...more,
  });
  return offer.offered.map(({ tool }) => tool.name);
}

test('what a session has done counts after a restart, and for no other session (S001-90)', async () => {
  const harness = createHarness(SETTINGS);
  const first = await harness.start();
  expect(await namesOffered(first)).not.toContain('hold');
  await harness.submit(first, 'echo', { text: 'a' }).result;
  expect(await namesOffered(first)).toContain('hold');
  await first.close();
  const next = await harness.start();
  expect(await namesOffered(next)).toContain('hold');
  const other = { ...SESSION, sessionId: aSessionId('other') };
  expect(await namesOffered(next, { session: other })).not.toContain('hold');
  await next.close();
});

test('only calls that succeeded count (S001-90)', async () => {
  const harness = createHarness(SETTINGS);
  const coordinator = await harness.start();
  const failed = await harness.submit(coordinator, 'echo', { text: 1 }).result;
  expect(failed.success).toBe(false);
  expect(await namesOffered(coordinator)).not.toContain('hold');
  await coordinator.close();
});

test('requirements that would leave nothing to call are lifted, with one event, and the call runs (S001-89)', async () => {
  const harness = createHarness(SETTINGS);
  const coordinator = await harness.start();
  await namesOffered(coordinator);
  const hidden = await harness.submit(coordinator, 'hold', { path: 'a' }).result;
  expect(hidden.failure).toMatchObject({
    code: 'tool-not-ready',
    category: 'ToolNotFound',
    suggestion: 'Call echo first, then hold again',
  });
  for (let turn = 0; turn < 2; turn++)
    expect(await namesOffered(coordinator, { declared: ['hold'] })).toEqual(['hold']);
  expect(await harness.reported('requirements_lifted')).toMatchObject([{ ...SESSION, tools: ['hold'] }]);
  const called = harness.submit(coordinator, 'hold', { path: 'a' });
  await harness.settle();
  harness.tools.release(called.commandId);
  expect((await called.result).success).toBe(true);
  await coordinator.close();
});

test('requirements are lifted for a client that calls without an offer, too (S001-89)', async () => {
  const harness = createHarness(SETTINGS);
  const coordinator = await harness.start();
  const called = harness.submit(coordinator, 'hold', { path: 'a' }, { tools: ['hold'] });
  await harness.settle();
  harness.tools.release(called.commandId);
  expect((await called.result).success).toBe(true);
  await coordinator.close();
});

test('a call that the policy denies is denied, whatever it requires (X-06)', async () => {
  const harness = createHarness({ ...SETTINGS, mode: 'LOCKDOWN' });
  const coordinator = await harness.start();
  const denied = await harness.submit(coordinator, 'hold', { path: 'a' }).result;
  expect(denied.outcome.kind).toBe('denied');
  await coordinator.close();
});

test('the offer of a session has the same bytes at every turn while nothing changed (S001-80)', async () => {
  const filter = { enabled: true, top_k: 1, always_on: [], never_left_out: [] };
  const harness = createHarness({ ...FREE, agent: { tool_filter: filter } });
  const coordinator = await harness.start();
  const ask = { session: SESSION, declared: null, caller: 'native', task: 'Say it again' } as const;
  const definitions = async (task: string = ask.task): Promise<string> => {
    const { offered } = await coordinator.offers.of({ ...ask, task });
    return JSON.stringify(offered.map(({ definition }) => definition));
  };
  const first = await definitions();
  expect(first).toContain('Says it again');
  expect(first).not.toContain('"hold"');
  expect(await definitions()).toBe(first);
  // Another task adds, and takes nothing away.
  const second = await definitions('Say it again. Then hold a path');
  expect(second).toContain('"hold"');
  expect(second).toContain('Says it again');
  expect(await definitions()).toBe(second);
  await coordinator.close();
});

test('thoughts are removed from every call, before it has a record (S001-68, S001-72)', async () => {
  const harness = createHarness(FREE);
  const coordinator = await harness.start();
  const thoughts = 'the person lives in Kassel';
  for (const args of [
    { text: 'a', _tafc_think: thoughts },
    JSON.stringify({ _tafc_think: thoughts, text: 'a' }),
  ])
    expect((await harness.submit(coordinator, 'echo', args).result).content).toBe('a');
  const broken = await harness.submit(coordinator, 'echo', `{"_tafc_think":"${thoughts}`).result;
  expect(broken.failure?.code).toBe('invalid-arguments');
  const everything = JSON.stringify([
    await harness.reported(),
    harness.auditLines(),
    await harness.store.list({}),
  ]);
  expect(everything).not.toContain('Kassel');
  expect(harness.auditLines().length).toBe(3);
  await coordinator.close();
});
