import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { read, setUpHarness } from './testing/session-harness.ts';

const DONE = { kind: 'answer', text: 'Done.' } as const;

test('a cancel ends the current turn (S002-20)', async () => {
  const harness = setUpHarness([{ kind: 'stall', text: 'I am thinking ...' }]);
  const session = harness.start();
  await harness.reported('turn_started');
  session.cancel('ana said so');
  expect(await session.finished).toMatchObject({ finish: 'cancelled', message: 'ana said so', turns: 0 });
  expect(harness.clock.pendingTimers()).toBe(0);
});

test('after a cancel before the first turn the provider is not called', async () => {
  const harness = setUpHarness([DONE]);
  const session = harness.start();
  session.cancel('too early');
  expect(await session.finished).toMatchObject({ finish: 'cancelled', message: 'too early' });
  expect(harness.provider.requests).toEqual([]);
});

test('a cancel ends the wait for another attempt', async () => {
  const harness = setUpHarness([{ kind: 'rate-limited', retryAfterMs: 20_000 }, DONE]);
  const session = harness.start();
  await harness.reported('turn_failed');
  await harness.clock.advance(1);
  session.cancel('ana said so');
  expect(await session.finished).toMatchObject({ finish: 'cancelled' });
  expect(harness.clock.pendingTimers()).toBe(0);
  expect(harness.provider.requests).toHaveLength(1);
});

test('a cancel cancels unfinished commands, and waits for their results (S002-20)', async () => {
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1'), read('c2')] }, DONE]);
  const session = harness.start();
  await harness.submitted(2);
  harness.commands[0]?.end('aaa');
  await harness.reported('tool_call_result');
  session.cancel('first');
  session.cancel('second');
  expect(new Set(harness.cancelled)).toEqual(new Set([harness.commands[1]?.id]));
  let over = false;
  void session.finished.then(() => (over = true));
  await harness.clock.advance(60_000);
  expect(over).toBe(false);
  harness.commands[1]?.end('stopped', 'cancelled');
  expect(await session.finished).toMatchObject({
    finish: 'cancelled',
    message: 'first',
    calls: [
      { callId: 'c1', content: 'aaa', success: true },
      { callId: 'c2', content: 'stopped', success: false },
    ],
  });
  expect(harness.provider.requests).toHaveLength(1);
});

test('after a cancel behind the last delta none of the calls runs, and each is answered', async () => {
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1'), read('c2')] }]);
  const session = harness.start();
  harness.onEvent((event) => void (event.type === 'turn_ended' && session.cancel('just in time')));
  expect(await session.finished).toMatchObject({
    finish: 'cancelled',
    turns: 1,
    calls: [
      { callId: 'c1', commandId: null, success: false },
      { callId: 'c2', commandId: null, success: false },
    ],
  });
  expect(harness.commands).toEqual([]);
});

test('after a cancel between two calls of a turn no more of them are submitted', async () => {
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1'), read('c2')] }], () => {
    session.cancel('that is enough');
    return { content: 'aaa' };
  });
  const session = harness.start();
  expect(await session.finished).toMatchObject({
    finish: 'cancelled',
    calls: [
      { callId: 'c1', success: true },
      { callId: 'c2', commandId: null, success: false },
    ],
  });
  expect(harness.commands).toHaveLength(1);
});

test('the signal stops turns and calls, and lets running commands complete', async () => {
  const controller = new AbortController();
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1')] }, DONE]);
  const session = harness.start({ signal: controller.signal });
  await harness.submitted(1);
  controller.abort();
  expect(harness.cancelled).toEqual([]);
  expect(session.say({ text: 'And b.', by: 'ana', interrupts: false })).toBe(false);
  harness.commands[0]?.end('aaa');
  expect(await session.finished).toMatchObject({
    finish: 'cancelled',
    message: 'Signalbox is stopping',
    calls: [{ content: 'aaa', success: true }],
  });
});

test('with an aborted signal nothing begins', async () => {
  const harness = setUpHarness([DONE]);
  expect(await harness.start({ signal: AbortSignal.abort() }).finished).toMatchObject({
    finish: 'cancelled',
  });
  expect(harness.provider.requests).toEqual([]);
});

test('a failed cancel request is logged, and the session still ends with its commands', async () => {
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1')] }]);
  const session = harness.start({ cancelCommand: () => Promise.reject(new Error('gone')) });
  await harness.submitted(1);
  session.cancel('ana said so');
  harness.commands[0]?.end('aaa');
  expect(await session.finished).toMatchObject({ finish: 'cancelled' });
});

test('whatever happens and whenever it is cancelled, every call gets exactly one result (X-24)', async () => {
  const stops = fc.constantFrom(undefined, 'length', 'refused', 'paused');
  const turns = fc.array(fc.record({ calls: fc.nat(3), stop: stops, fails: fc.boolean() }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.nat(30),
      fc.constantFrom('completed', 'failed', 'denied'),
      async (plan, after, kind) => {
        const harness = setUpHarness(
          [
            ...plan.flatMap(({ calls, stop, fails }, turn) => [
              ...(fails ? [{ kind: 'rate-limited', retryAfterMs: 0 } as const] : []),
              {
                kind: 'answer',
                calls: Array.from({ length: calls }, (_, n) => read(`t${turn}-${n}`)),
                ...(stop === undefined ? {} : { stop }),
              } as const,
            ]),
            DONE,
          ],
          () => ({ content: 'aaa', kind }),
        );
        const session = harness.start();
        let reported = 0;
        harness.onEvent((event) => {
          reported += 1;
          if (reported === after) session.cancel('now');
          if (event.type === 'turn_failed') setImmediate(() => void harness.clock.advance(0));
        });
        const { calls, turns: ended } = await session.finished;
        const made = plan
          .slice(0, ended)
          .flatMap((turn, at) => Array.from({ length: turn.calls }, (_, n) => `t${at}-${n}`));
        expect(calls.map(({ callId }) => callId)).toEqual(made);
        const submitted = new Set(harness.commands.map(({ call }) => call.callId));
        expect(submitted.size).toBe(harness.commands.length);
        for (const request of harness.provider.requests) {
          for (const [index, message] of request.messages.entries()) {
            if (message.role !== 'assistant') continue;
            const called = message.parts.flatMap((part) => (part.kind === 'call' ? [part.call.id] : []));
            const next = request.messages[index + 1];
            const answered = next?.role === 'tool' ? next.results.map(({ callId }) => callId) : [];
            expect(answered).toEqual(called);
          }
        }
      },
    ),
    { numRuns: 200 },
  );
});
