import { type AssistantMessage, NO_USAGE, type ToolCall } from '@signalbox/core';
import { aCommandId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import {
  answerCalls,
  answerUnrun,
  beginTurn,
  endWith,
  lastWords,
  newContext,
  noteTurn,
  type SessionContext,
} from './session-context.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { TurnOutcome } from './turn-outcome.ts';

const CALL: ToolCall = { id: 'c1', name: 'read_file', argsText: '{"path":"a"}' };
const ASSISTANT: AssistantMessage = {
  role: 'assistant',
  parts: [
    { kind: 'text', text: ' Let me ' },
    { kind: 'call', call: CALL },
    { kind: 'text', text: 'look.\n' },
  ],
};
const USAGE = { ...NO_USAGE, inputTokens: 10, outputTokens: 5 };
const ENDED: TurnOutcome = {
  kind: 'ended',
  stop: 'tools',
  assistant: ASSISTANT,
  usage: USAGE,
  costUsd: null,
};
const ANSWER: RecordedCall = {
  callId: 'c1',
  tool: 'read_file',
  argsText: '{"path":"a"}',
  commandId: aCommandId(),
  success: true,
  content: 'aaa',
};

function context(more: Partial<SessionContext> = {}): SessionContext {
  return { ...newContext('You share a tree.', 'Merge a into b.', { maxTurns: 3 }), ...more };
}

test('a session begins with its prompt and its task, and nothing spent', () => {
  expect(newContext('You share a tree.', 'Merge a into b.', { maxTurns: 3 })).toEqual({
    maxTurns: 3,
    messages: [
      { role: 'system', text: 'You share a tree.' },
      { role: 'user', text: 'Merge a into b.' },
    ],
    size: { tokens: 0, messages: 0 },
    compressionRequest: null,
    compressedAt: null,
    shortenedTurn: 0,
    inbox: [],
    turn: 0,
    attempt: 0,
    endedTurns: 0,
    lastTurn: null,
    openCalls: [],
    calls: [],
    usage: NO_USAGE,
    costUsd: null,
    criticalFailure: null,
    cancelReason: null,
    ending: null,
  });
});

test('a turn begins with its first attempt, after what was said to the session', () => {
  const { messages } = context();
  expect(beginTurn(context({ turn: 4, attempt: 2, inbox: ['And b.', 'And c.'] }))).toEqual({
    turn: 5,
    attempt: 1,
    messages: [...messages, { role: 'user', text: 'And b.' }, { role: 'user', text: 'And c.' }],
    inbox: [],
  });
});

test('a turn that ended is answered by its calls, and counted with its tokens', () => {
  const before = context({ endedTurns: 1, usage: USAGE });
  expect(noteTurn(before, ENDED)).toEqual({
    lastTurn: ENDED,
    endedTurns: 2,
    messages: [...before.messages, ASSISTANT],
    // What the provider counted.
    size: { tokens: 15, messages: 3 },
    openCalls: [CALL],
    usage: { ...NO_USAGE, inputTokens: 20, outputTokens: 10 },
    costUsd: null,
  });
});

test.each([
  [null, null, null],
  [2, null, 2],
  [null, 3, 3],
  [2, 3, 5],
])('the cost of a session is that of the turns whose cost is known: %s and %s', (before, turn, sum) => {
  expect(noteTurn(context({ costUsd: before }), { ...ENDED, costUsd: turn }).costUsd).toBe(sum);
});

test('a turn that failed is remembered, and nothing else changes', () => {
  const failed: TurnOutcome = { kind: 'failed', error: 'ServerError', message: 'no', retryInMs: 300 };
  expect(noteTurn(context(), failed)).toEqual({ lastTurn: failed });
});

test('all calls of a turn are answered in one message, with the notes on them', () => {
  const before = context({ openCalls: [CALL], calls: [{ ...ANSWER, callId: 'c0' }] });
  const noted = { ...ANSWER, callId: 'c2', success: false, content: 'no', notes: ['again'] };
  expect(answerCalls(before, [ANSWER, noted])).toStrictEqual({
    openCalls: [],
    calls: [{ ...ANSWER, callId: 'c0' }, ANSWER, noted],
    messages: [
      ...before.messages,
      {
        role: 'tool',
        results: [
          { callId: 'c1', text: 'aaa', isError: false },
          { callId: 'c2', text: 'no', isError: true, notes: ['again'] },
        ],
      },
    ],
  });
});

test('a call that is not run is answered with the reason', () => {
  const { calls, messages } = answerUnrun(context({ openCalls: [CALL] }), 'cut');
  expect(calls).toMatchObject([{ callId: 'c1', commandId: null, success: false }]);
  expect(messages?.at(-1)).toMatchObject({
    role: 'tool',
    results: [{ callId: 'c1', isError: true, text: expect.stringContaining('cut at the output limit') }],
  });
});

test.each([
  ['refused', 'the turn that it belongs to was refused'],
  ['cancelled', 'the session was cancelled'],
  ['failed', 'the session was cancelled'],
] as const)('a session that ends (%s) answers its open calls with why', (finish, why) => {
  const { ending, openCalls, calls } = endWith(context({ openCalls: [CALL] }), finish, { message: 'no' });
  expect({ ending, openCalls }).toEqual({ ending: { finish, message: 'no' }, openCalls: [] });
  expect(calls).toMatchObject([{ content: expect.stringContaining(why) }]);
});

test('a session that ends without open calls sends its model no empty answer', () => {
  expect(endWith(context(), 'finished', { message: 'Done.' })).toEqual({
    openCalls: [],
    ending: { finish: 'finished', message: 'Done.' },
  });
});

test('the last words of a model are the text of its last turn', () => {
  expect(lastWords(context({ lastTurn: ENDED }))).toBe('Let me look.');
  const failed: TurnOutcome = { kind: 'failed', error: 'ServerError', message: 'no', retryInMs: null };
  expect([lastWords(context()), lastWords(context({ lastTurn: failed }))]).toEqual(['', '']);
});
