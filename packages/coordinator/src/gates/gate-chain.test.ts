import { aProviderId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { ANA, changeTo, createHarness, FREE } from '../testing/coordinator-harness.ts';
import type { GateAnswer } from './gate.ts';
import { ALLOW, DENY, PASS, quickGate, REFUSE, scriptedGate } from './testing/scripted-gate.ts';

const ECHO = { text: 'hello' } as const;

/** A gate whose answers a test gives one by one, by the text of the call. */
function heldGate() {
  const held = new Map<string, (answer: GateAnswer) => void>();
  const ended: string[] = [];
  const gate = scriptedGate(
    ({ call }, signal) =>
      new Promise<GateAnswer>((resolve, reject) => {
        const name = Object.values(call.args)
          .map((value) => JSON.stringify(value))
          .join('')
          .replaceAll('"', '');
        held.set(name, resolve);
        signal.addEventListener('abort', () => {
          ended.push(name);
          reject(new Error('aborted'));
        });
      }),
  );
  return {
    gate,
    ended,
    names: () => [...held.keys()],
    answer(name: string, answer: GateAnswer) {
      const resolve = held.get(name);
      if (resolve === undefined) throw new Error(`${name} is not asked`);
      resolve(answer);
    },
  };
}

test('the gates are asked in a fixed order, and their decisions are on the record, in events and in the result (S001-117)', async () => {
  const harness = createHarness(FREE);
  const order: string[] = [];
  const coordinator = await harness.start({
    gates: [
      scriptedGate(() => (order.push('adversarial'), PASS)),
      quickGate(() => {
        order.push('utility');
        const decision = {
          gate: 'utility',
          decision: 'deny',
          shadow: true,
          reason: 'no gain',
          ms: 0,
        } as const;
        return { kind: 'note', decision: { ...decision, terms: { gain: 0 } }, note: 'No gain is expected' };
      }),
    ],
  });
  const submitted = harness.submit(coordinator, 'echo', ECHO);
  const result = await submitted.result;
  expect(result).toMatchObject({ success: true, notes: ['No gain is expected'] });
  expect(order).toEqual(['utility', 'adversarial']);
  const { gates } = await harness.record(submitted.commandId);
  expect(gates).toMatchObject([{ gate: 'utility', terms: { gain: 0 } }, ALLOW]);
  expect((await harness.reported('gate_decided')).map((event) => event)).toMatchObject([
    { commandId: submitted.commandId, decision: { gate: 'utility' } },
    { commandId: submitted.commandId, decision: ALLOW },
  ]);
});

test('a refusal ends the call before a person is asked, and later gates are not asked (X-06)', async () => {
  const harness = createHarness();
  const gate = scriptedGate(() => REFUSE);
  const coordinator = await harness.start({ gates: [gate] });
  const submitted = harness.submit(coordinator, 'hold', { path: 'a' });
  expect(await submitted.result).toMatchObject({
    outcome: { kind: 'denied' },
    failure: { code: 'judged-denied' },
  });
  expect(await harness.endingOf(submitted)).toEqual(['denied', 'denied', 'denied']);
  expect((await harness.record(submitted.commandId)).gates).toEqual([DENY]);
  expect(await harness.reported('approval_requested')).toEqual([]);

  const later = scriptedGate();
  const next = await harness.start({ gates: [later, quickGate(() => ({ ...REFUSE, decision: DENY }))] });
  expect((await harness.submit(next, 'echo', ECHO).result).success).toBe(false);
  expect(later.asked).toEqual([]);
});

test('a call that the policy denies, or for which the quota is used up, is not sent to a gate', async () => {
  const harness = createHarness({ ...FREE, tools: { max_tool_calls_per_session: 1 } });
  const gate = scriptedGate();
  const coordinator = await harness.start({ gates: [gate] });
  expect(await harness.submit(coordinator, 'shell', { line: 'sudo reboot' }).result).toMatchObject({
    outcome: { kind: 'blocked' },
  });
  expect(gate.asked).toEqual([]);
  await harness.submit(coordinator, 'echo', ECHO).result;
  const over = await harness.submit(coordinator, 'echo', { text: 'more' }).result;
  expect(over.failure?.code).toBe('quota_blocked');
  expect(gate.asked).toHaveLength(1);
});

test('a gate that throws refuses with its own code, and the fault is logged', async () => {
  const harness = createHarness(FREE);
  const broken = scriptedGate(() => {
    throw new Error('bug');
  });
  const coordinator = await harness.start({ gates: [broken] });
  const result = await harness.submit(coordinator, 'echo', ECHO).result;
  expect(result).toMatchObject({
    outcome: { kind: 'denied' },
    failure: { code: 'judge_unavailable', suggestion: 'Try again' },
  });
  expect(harness.tools.handled).toEqual([]);
  expect(JSON.stringify(harness.logger.lines)).toContain('gate failed; the call is refused');
});

test('calls of people go the same way', async () => {
  const harness = createHarness(FREE);
  const gate = scriptedGate(() => REFUSE);
  const coordinator = await harness.start({ gates: [gate] });
  const submitted = harness.submit(coordinator, 'echo', ECHO, { provider: aProviderId('you') });
  expect((await submitted.result).outcome.kind).toBe('denied');
});

test('a cancel ends the call while a gate is asked, and the request with it', async () => {
  const harness = createHarness(FREE);
  const held = heldGate();
  const coordinator = await harness.start({ gates: [held.gate] });
  const submitted = harness.submit(coordinator, 'echo', ECHO);
  await harness.settle();
  expect((await harness.record(submitted.commandId)).state).toBe('classified');
  expect(await coordinator.cancel(submitted.commandId, { by: 'ana' })).toEqual({ kind: 'cancelled' });
  expect((await submitted.result).outcome.kind).toBe('cancelled');
  expect(held.ended).toEqual(['hello']);
  expect(harness.tools.handled).toEqual([]);
  // It holds back no later call.
  const later = harness.submit(coordinator, 'echo', { text: 'later' });
  await harness.settle();
  held.answer('later', PASS);
  expect((await later.result).success).toBe(true);
});

test('a call that is at a gate when Signalbox stops is judged again at the next start', async () => {
  const harness = createHarness(FREE);
  const held = heldGate();
  const first = await harness.start({ gates: [held.gate] });
  const submitted = harness.submit(first, 'echo', ECHO);
  await harness.settle();
  await first.close();
  expect(held.ended).toEqual(['hello']);
  expect((await harness.record(submitted.commandId)).state).toBe('classified');

  const gate = scriptedGate();
  await harness.start({ gates: [gate] });
  await harness.settle();
  expect(await harness.record(submitted.commandId)).toMatchObject({
    state: 'done',
    gates: [ALLOW],
    result: { success: true },
  });
  expect(gate.asked).toHaveLength(1);
});

test('the calls of a session are judged at the same time, and continue in their order', async () => {
  const harness = createHarness(FREE);
  const held = heldGate();
  const gate = { ...held.gate, applies: ({ call }: { call: { args: object } }) => !('times' in call.args) };
  const coordinator = await harness.start({ gates: [gate] });
  const calls = ['a', 'b'].map((text) => harness.submit(coordinator, 'echo', { text }));
  const exempt = harness.submit(coordinator, 'echo', { text: 'c', times: 1 });
  await harness.settle();
  expect(held.names()).toEqual(['a', 'b']);
  held.answer('b', PASS);
  await harness.settle();
  expect(harness.tools.handled).toEqual([]);
  held.answer('a', PASS);
  await Promise.all([...calls, exempt].map(({ result }) => result));
  expect(harness.tools.handled).toEqual([...calls, exempt].map(({ commandId }) => commandId));
});

test('a call that a person changed is judged again: a refused change is not approvable (E5)', async () => {
  const harness = createHarness();
  const gate = scriptedGate(({ call }) => (call.args['path'] === 'secret' ? REFUSE : PASS));
  const coordinator = await harness.start({ gates: [gate] });
  const submitted = harness.submit(coordinator, 'hold', { path: 'a' });
  await submitted.resting;
  const id = submitted.commandId;
  const expect_ = (await harness.record(id)).approval?.callHash as never;
  const answer = async (path: string) =>
    coordinator.approvals.answer(
      id,
      { kind: 'modify', ...(await changeTo(coordinator, id, { args: { path } })) },
      { by: ANA, expect: expect_ },
    );
  expect(await answer('secret')).toMatchObject({
    kind: 'not-approvable',
    failure: { code: 'judged-denied' },
  });
  expect((await harness.record(id)).state).toBe('awaiting_approval');
  expect(await answer('b')).toMatchObject({ kind: 'granted' });
  await harness.settle();
  harness.tools.release(id);
  expect((await submitted.result).success).toBe(true);
  expect(gate.asked.map(({ call }) => call.args['path'])).toEqual(['a', 'secret', 'b']);
  expect((await harness.record(id)).gates).toEqual([ALLOW]);
});

test('a call that waits does not start when its decision has become outdated', async () => {
  const harness = createHarness();
  const first = await harness.start();
  const submitted = harness.submit(first, 'hold', { path: 'a' });
  await submitted.resting;
  await first.close();
  const next = await harness.start({ gates: [scriptedGate()] });
  const id = submitted.commandId;
  const { approval } = await harness.record(id);
  await next.approvals.answer(id, { kind: 'approve' }, { by: ANA, expect: approval?.callHash as never });
  await harness.settle();
  const { result } = await harness.record(id);
  expect(result?.failure?.message).toContain('the adversarial gate has not judged it');
});
