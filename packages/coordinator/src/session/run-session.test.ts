import { NO_USAGE, type Usage } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { PROVIDER, read, SESSION, setUpHarness } from './testing/session-harness.ts';

const USAGE: Usage = { ...NO_USAGE, inputTokens: 1_000_000, outputTokens: 100_000 };
const ofSession = { sessionId: SESSION, provider: PROVIDER };

test('a session without calls ends with the model’s answer (S002-07)', async () => {
  const harness = setUpHarness([{ kind: 'answer', text: 'Nothing to do.', usage: USAGE }]);
  expect(await harness.start().finished).toEqual({
    finish: 'finished',
    message: 'Nothing to do.',
    turns: 1,
    calls: [],
    commandIds: [],
    usage: USAGE,
    costUsd: null,
    durationMs: 0,
  });
  expect(harness.provider.requests[0]).toMatchObject({
    model: 'some-model',
    messages: [
      { role: 'system', text: 'You share a tree.' },
      { role: 'user', text: 'Merge a into b.' },
    ],
  });
});

test('a session publishes every step in the event log, in order (S004-21, S004-26, S004-29, X-32)', async () => {
  const harness = setUpHarness(
    [
      { kind: 'answer', text: 'Let me look.', calls: [read('c1')] },
      { kind: 'answer', text: 'Done.' },
    ],
    () => ({ content: 'aaa' }),
  );
  await harness.start().finished;
  const commandId = harness.commands[0]?.id;
  const usage = NO_USAGE;
  expect(harness.events).toEqual([
    {
      type: 'session_started',
      ...ofSession,
      model: 'some-model',
      task: 'Merge a into b.',
      contextTokens: null,
    },
    { type: 'turn_started', ...ofSession, turn: 1, attempt: 1 },
    { type: 'turn_ended', ...ofSession, turn: 1, says: 'Let me look.', calls: 1, usage, costUsd: null },
    { type: 'tool_call_start', ...ofSession, callId: 'c1', tool: 'read_file', commandId },
    { type: 'tool_call_result', ...ofSession, callId: 'c1', commandId, success: true },
    { type: 'turn_started', ...ofSession, turn: 2, attempt: 1 },
    { type: 'turn_ended', ...ofSession, turn: 2, says: 'Done.', calls: 0, usage, costUsd: null },
    {
      type: 'session_ended',
      ...ofSession,
      finish: 'finished',
      message: 'Done.',
      turns: 2,
      usage,
      costUsd: null,
    },
  ]);
});

test('calls of a turn are submitted at once, and their results go back in call order (X-34, S002-04, S002-08, S002-09, S002-18, S002-19, S002-48, S003-05, S003-62)', async () => {
  const harness = setUpHarness([
    { kind: 'answer', text: 'Let me look.', calls: [read('c1', 'a'), read('c2', 'b'), read('c3', 'c')] },
    { kind: 'answer', text: 'Done.' },
  ]);
  const session = harness.start({ context: { priority: 7 } });
  await harness.submitted(3);
  for (const index of [2, 0, 1]) harness.commands[index]?.end(`result ${index}`);
  const { calls, commandIds } = await session.finished;
  expect(harness.commands[0]).toMatchObject({
    call: { callId: 'c1', tool: 'read_file', args: '{"path":"a"}' },
    context: {
      ...ofSession,
      trust: 'provisional',
      says: 'Let me look.',
      task: 'Merge a into b.',
      priority: 7,
    },
  });
  expect(harness.provider.requests[1]?.messages.at(-1)).toEqual({
    role: 'tool',
    results: [
      { callId: 'c1', text: 'result 0', isError: false },
      { callId: 'c2', text: 'result 1', isError: false },
      { callId: 'c3', text: 'result 2', isError: false },
    ],
  });
  expect(calls.map(({ callId, tool, argsText, content }) => [callId, tool, argsText, content])).toEqual([
    ['c1', 'read_file', '{"path":"a"}', 'result 0'],
    ['c2', 'read_file', '{"path":"b"}', 'result 1'],
    ['c3', 'read_file', '{"path":"c"}', 'result 2'],
  ]);
  expect(commandIds).toEqual(harness.commands.map(({ id }) => id));
});

test('denied and failed calls are reported to the model, and the session continues (B4, S001-65, S002-52, S002-40)', async () => {
  const harness = setUpHarness(
    [
      { kind: 'answer', calls: [read('c1'), read('c2')] },
      { kind: 'answer', text: 'Then not.' },
    ],
    ({ callId }) =>
      callId === 'c1' ? { content: 'denied: no', kind: 'denied' } : { content: 'failed: no', kind: 'failed' },
  );
  expect(await harness.start().finished).toMatchObject({ finish: 'finished', message: 'Then not.' });
  expect(harness.provider.requests[1]?.messages.at(-1)).toEqual({
    role: 'tool',
    results: [
      { callId: 'c1', text: 'denied: no', isError: true },
      { callId: 'c2', text: 'failed: no', isError: true },
    ],
  });
});

test('malformed arguments and unknown tools are submitted unchanged: the coordinator rejects and audits them', async () => {
  const calls = [{ id: 'c1', name: 'no_such_tool', argsText: '{"path": ' }];
  const harness = setUpHarness(
    [
      { kind: 'answer', calls },
      { kind: 'answer', text: 'Oh.' },
    ],
    () => ({ content: 'no', kind: 'failed' }),
  );
  await harness.start().finished;
  expect(harness.commands[0]?.call).toEqual({ callId: 'c1', tool: 'no_such_tool', args: '{"path": ' });
});

test('a session stops after its 100th turn, keeps its results, and says how to get more turns (X-22, U-B3, S002-16, S002-34, S004-22)', async () => {
  const harness = setUpHarness(
    Array.from({ length: 102 }, (_, n) => ({ kind: 'answer', calls: [read(`c${n}`, `${n}.ts`)] }) as const),
    () => ({ content: 'aaa' }),
  );
  const { finish, message, turns, calls } = await harness.start().finished;
  expect({ finish, turns, calls: calls.length }).toEqual({
    finish: 'max_iterations',
    turns: 100,
    calls: 100,
  });
  expect(harness.provider.requests).toHaveLength(100);
  expect(message).toBe(
    'Stopped after 100 turns, before it had finished (run --turns N, or setting agents.tool_execution.max_iterations)',
  );
});

test('a session out of turns continues with those that its person grants, and asks again at their end (U-B3)', async () => {
  const harness = setUpHarness(
    Array.from({ length: 9 }, (_, n) => ({ kind: 'answer', calls: [read(`c${n}`, `${n}.ts`)] }) as const),
    () => ({ content: 'aaa' }),
  );
  const given = [3, 0];
  const asked: number[] = [];
  const moreTurns = async (used: { turns: number }): Promise<number> => {
    asked.push(used.turns);
    return given.shift() ?? 0;
  };
  const { finish, turns } = await harness.start({ maxIterations: 2, moreTurns }).finished;
  expect({ finish, turns, asked }).toEqual({ finish: 'max_iterations', turns: 5, asked: [2, 5] });
});

test('a session that finishes with its last turn asks for no more', async () => {
  const harness = setUpHarness([{ kind: 'answer', text: 'Done.' }]);
  const moreTurns = (): Promise<number> => Promise.reject(new Error('asked'));
  const { finish } = await harness.start({ maxIterations: 1, moreTurns }).finished;
  expect(finish).toBe('finished');
});

describe('a turn that was cut at the output limit', () => {
  test('has its calls answered, not run', async () => {
    const harness = setUpHarness([
      { kind: 'answer', calls: [read('c1'), read('c2')], stop: 'length' },
      { kind: 'answer', text: 'In smaller steps.' },
    ]);
    const { calls } = await harness.start().finished;
    expect(harness.commands).toEqual([]);
    expect(calls.map(({ callId, commandId, success }) => [callId, commandId, success])).toEqual([
      ['c1', null, false],
      ['c2', null, false],
    ]);
    expect(harness.provider.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      results: [
        { callId: 'c1', isError: true },
        { callId: 'c2', isError: true },
      ],
    });
  });

  test('is continued if it had only text', async () => {
    const harness = setUpHarness([
      { kind: 'answer', text: 'First I', stop: 'length' },
      { kind: 'answer', text: 'Done.' },
    ]);
    expect(await harness.start().finished).toMatchObject({ finish: 'finished', message: 'Done.', turns: 2 });
    expect(harness.provider.requests[1]?.messages.slice(2)).toMatchObject([
      { role: 'assistant' },
      { role: 'user', text: expect.stringContaining('cut') },
    ]);
  });
});

test('a turn that the provider paused is continued', async () => {
  const harness = setUpHarness([
    { kind: 'answer', text: 'Hm.', stop: 'paused' },
    { kind: 'answer', text: 'Done.' },
  ]);
  expect(await harness.start().finished).toMatchObject({ finish: 'finished', message: 'Done.', turns: 2 });
});

test('a model that refuses ends the session, and its calls are answered, not run', async () => {
  const harness = setUpHarness([
    { kind: 'answer', text: 'I will not.', calls: [read('c1')], stop: 'refused' },
  ]);
  expect(await harness.start().finished).toMatchObject({
    finish: 'refused',
    message: 'I will not.',
    calls: [{ callId: 'c1', commandId: null, success: false }],
  });
  expect(harness.commands).toEqual([]);
});

test('tools are offered sorted by name, the same at every turn', async () => {
  const harness = setUpHarness(
    [
      { kind: 'answer', calls: [read('c1')] },
      { kind: 'answer', text: 'Done.' },
    ],
    () => ({ content: 'aaa' }),
  );
  await harness.start().finished;
  const offered = harness.provider.requests.map(({ tools }) => JSON.stringify(tools));
  expect(harness.provider.requests[0]?.tools.map(({ name }) => name)).toEqual(['read_file', 'write_file']);
  expect(offered[1]).toBe(offered[0]);
});
