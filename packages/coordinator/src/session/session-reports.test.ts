import { NO_USAGE, ProviderError, type TurnEvent } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { PROVIDER, read, SESSION, setUpHarness } from './testing/session-harness.ts';

const DONE = { kind: 'answer', text: 'Done.' } as const;
const OF_SESSION = { sessionId: SESSION, provider: PROVIDER };

test('a turn is asked for with the bounds of the settings, and without those that they leave out', async () => {
  const harness = setUpHarness([DONE, DONE]);
  await harness.start({ maxOutputTokens: 77, temperature: 0 }).finished;
  await harness.start().finished;
  const [bounded, plain] = harness.provider.requests;
  expect(bounded).toMatchObject({ maxOutputTokens: 77, temperature: 0 });
  expect(Object.keys(plain ?? {}).toSorted()).toEqual(['messages', 'model', 'tools']);
});

test('a turn that fails is in the log and in the event log, with its reason and the time until its retry', async () => {
  const failure = new ProviderError('ServerError', 'It is down at hunter2', { requestId: 'req_1' });
  const harness = setUpHarness([failure, DONE]);
  const session = harness.start({ retry: { maxAttempts: 2, baseMs: 0, maxMs: 0, budgetMs: 0 } });
  await harness.reported('turn_failed');
  await harness.clock.advance(0);
  await session.finished;
  const facts = {
    turn: 1,
    attempt: 1,
    kind: 'ServerError',
    message: 'It is down at [redacted]',
    retryInMs: 0,
  };
  expect(harness.events).toContainEqual({ type: 'turn_failed', ...OF_SESSION, ...facts });
  expect(harness.logger.lines).toContainEqual({
    level: 'warn',
    facts: { ...OF_SESSION, ...facts, requestId: 'req_1' },
    message: 'turn failed',
  });
  expect(harness.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

test('a bug in a provider is in the log with its details, and not retried', async () => {
  const error = new TypeError('undefined is not a function');
  const harness = setUpHarness([
    () => {
      throw error;
    },
    DONE,
  ]);
  await harness.start().finished;
  expect(harness.logger.lines).toContainEqual({
    level: 'error',
    facts: { ...OF_SESSION, error, turn: 1 },
    message: 'provider threw an error other than ProviderError',
  });
  expect(harness.events).toContainEqual({
    type: 'turn_failed',
    ...OF_SESSION,
    turn: 1,
    attempt: 1,
    kind: 'Protocol',
    message: 'Provider "anthropic" failed inside Signalbox',
    retryInMs: null,
  });
});

test('a turn that a cancel ends is reported as cancelled, and not retried', async () => {
  const harness = setUpHarness([{ kind: 'stall', text: 'I am thinking ...' }]);
  const session = harness.start();
  await harness.reported('turn_started');
  session.cancel('ana said so');
  await session.finished;
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: 'turn_failed', kind: 'Cancelled', retryInMs: null }),
  );
});

test('a stream without a final event is reported with its provider', async () => {
  const harness = setUpHarness([]);
  const provider: typeof harness.provider = {
    ...harness.provider,
    async *stream(): AsyncIterable<TurnEvent> {
      yield { kind: 'text', delta: 'I' };
    },
  };
  const retry = { maxAttempts: 1, baseMs: 0, maxMs: 0, budgetMs: 0 };
  expect(await harness.start({ provider, retry }).finished).toMatchObject({
    finish: 'failed',
    message: 'Cannot get a turn from "anthropic": its stream ended without a final event',
  });
});

test('a turn without a known cost spends nothing', async () => {
  const harness = setUpHarness([{ ...DONE, usage: { ...NO_USAGE, inputTokens: 1_000_000 } }]);
  const spent: number[] = [];
  const budget = {
    limitUsd: null,
    spentUsd: () => 0,
    spend: (costUsd: number) => void spent.push(costUsd),
    isSpent: () => false,
  };
  await harness.start({ budget }).finished;
  expect(spent).toEqual([]);
});

test('a call carries the task and the words before it, redacted and cut to what a call may carry', async () => {
  const harness = setUpHarness(
    [{ kind: 'answer', text: `hunter2 ${'a'.repeat(3000)}`, calls: [read('c1')] }, DONE],
    () => ({ content: 'aaa' }),
  );
  const task = `hunter2 ${'b'.repeat(11_000)}`;
  await harness.start({ task }).finished;
  const { says = '', task: carried = '' } = harness.commands[0]?.context ?? {};
  expect([says.length, carried.length]).toEqual([2000, 10_000]);
  expect([says, carried].map((text) => text.startsWith('[redacted] '))).toEqual([true, true]);
});

test('a call of a turn without words carries none, and its tool’s name is cut to what a call may carry', async () => {
  const harness = setUpHarness(
    [{ kind: 'answer', calls: [{ ...read('c1'), name: 'x'.repeat(300) }] }, DONE],
    () => ({ content: 'aaa' }),
  );
  const { calls } = await harness.start().finished;
  const [command] = harness.commands;
  expect(Object.keys(command?.context ?? {}).toSorted()).toEqual([
    'commandId',
    'provider',
    'sessionId',
    'task',
    'trust',
  ]);
  expect(command?.call.tool).toHaveLength(256);
  expect(calls).toMatchObject([{ tool: 'x'.repeat(300) }]);
});

test('notes on a result go to the model with it', async () => {
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1'), read('c2')] }, DONE]);
  const session = harness.start({
    submit(call, context) {
      const submitted = harness.submit(call, context);
      const notes = call.callId === 'c1' ? { notes: ['a.ts was changed by openai'] } : {};
      return { ...submitted, result: submitted.result.then((result) => ({ ...result, ...notes })) };
    },
  });
  await harness.submitted(2);
  for (const command of harness.commands) command.end('aaa');
  const { calls } = await session.finished;
  expect(calls.map((call) => Object.keys(call).includes('notes'))).toEqual([true, false]);
  expect(harness.provider.requests[1]?.messages.at(-1)).toEqual({
    role: 'tool',
    results: [
      { callId: 'c1', text: 'aaa', isError: false, notes: ['a.ts was changed by openai'] },
      { callId: 'c2', text: 'aaa', isError: false },
    ],
  });
});

test('a call that can’t be submitted is in the log, and in no event', async () => {
  const error = new Error('the coordinator is closing');
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1')] }, DONE]);
  const submit = (): never => {
    throw error;
  };
  const { calls } = await harness.start({ submit }).finished;
  expect(calls).toMatchObject([{ content: expect.stringContaining('Signalbox did not accept it') }]);
  expect(harness.logger.lines).toContainEqual({
    level: 'error',
    facts: { ...OF_SESSION, error, callId: 'c1' },
    message: 'call not accepted',
  });
  expect(harness.events.filter(({ type }) => type.startsWith('tool_call'))).toEqual([]);
});

test('a command without a result is answered as not accepted, under its id, and in the log', async () => {
  const error = new Error('gone');
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1')] }, DONE]);
  const session = harness.start({
    submit: (call, context) => ({ ...harness.submit(call, context), result: Promise.reject(error) }),
  });
  const { calls, commandIds } = await session.finished;
  const commandId = harness.commands[0]?.id;
  expect(commandIds).toEqual([commandId]);
  expect(calls).toMatchObject([
    { callId: 'c1', commandId, success: false, content: expect.stringContaining('did not accept it') },
  ]);
  expect(harness.logger.lines).toContainEqual({
    level: 'error',
    facts: { ...OF_SESSION, error, commandId },
    message: 'command has no result',
  });
  expect(harness.events).toContainEqual({
    type: 'tool_call_result',
    ...OF_SESSION,
    callId: 'c1',
    commandId,
    success: false,
  });
});

test('a call of a session that was cancelled meanwhile says so', async () => {
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1'), read('c2')] }], () => {
    session.cancel('that is enough');
    return { content: 'aaa' };
  });
  const session = harness.start();
  const { calls } = await session.finished;
  expect(calls[1]?.content).toContain('the session was cancelled');
});

test('what the calls of a turn saved is one event after it; a turn that saved nothing has none (O1, S001-48)', async () => {
  const harness = setUpHarness(
    [{ kind: 'answer', calls: [read('c1'), read('c2')] }, { kind: 'answer', calls: [read('c3')] }, DONE],
    () => ({ content: 'text' }),
  );
  const reusedFrom = { commandId: aCommandId(), provider: PROVIDER, endedAt: 0, durationMs: 700 };
  const filtered = {
    filter: 'jest',
    confidence: 'full',
    keptLines: 1,
    lines: 9,
    keptTokens: 5,
    savedTokens: 95,
  } as const;
  const submit: typeof harness.submit = (call, context) => {
    const { commandId, result } = harness.submit(call, context);
    const isLast = harness.commands.length > 2;
    return { commandId, result: result.then((one) => (isLast ? one : { ...one, filtered, reusedFrom })) };
  };
  await harness.start({ submit }).finished;
  const saved = { tokens: { filters: 190, offers: 0, compressions: 0 }, calls: 2, ms: 1400 };
  expect(harness.events.filter(({ type }) => type === 'calls_saved')).toEqual([
    { type: 'calls_saved', ...OF_SESSION, saved },
  ]);
});
