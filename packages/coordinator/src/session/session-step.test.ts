import { NO_USAGE } from '@signalbox/core';
import { expect, test } from 'vitest';
import { commandIdOfCall } from './call-command-id.ts';
import { newContext, noteTurn } from './session-context.ts';
import { createStepConverter, type SessionStep, sessionStepOf } from './session-step.ts';
import { read, SESSION } from './testing/session-harness.ts';

const toStored = createStepConverter((text) => text.replaceAll('hunter2', '[redacted]'));

/** A session whose model has answered with one call. */
function answered(argsText: string, native: unknown): SessionStep {
  const call = { ...read('c1'), argsText };
  const context = newContext('You share a tree.', 'Use hunter2.', { maxTurns: 9 });
  const assistant = { role: 'assistant', parts: [{ kind: 'call', call }], native } as const;
  const outcome = { kind: 'ended', stop: 'tools', assistant, usage: NO_USAGE, costUsd: 0.5 } as const;
  return { at: 'sorting', context: { ...context, turn: 1, ...noteTurn(context, outcome) }, elapsedMs: 7 };
}

test('a stored step without secrets is the same when it is read', () => {
  const step = answered('{"path":"a.ts"}', { signature: 'sig', blocks: [1, null] });
  const plain = { ...step, context: { ...step.context, messages: step.context.messages.slice(2) } };
  expect(sessionStepOf(toStored(plain))).toEqual(plain);
});

test('secrets are stored in no message, and a payload that a signature covers is left out with them', () => {
  const { context } = sessionStepOf(toStored(answered('{"path":"hunter2"}', { text: 'hunter2' })));
  expect(JSON.stringify([context.messages, context.lastTurn])).not.toContain('hunter2');
  expect(context.messages.at(-1)).not.toHaveProperty('native');
  expect(context.messages[1]).toEqual({ role: 'user', text: 'Use [redacted].' });
});

test('a call without a result is stored as its model wrote it: it has yet to run', () => {
  const { context } = sessionStepOf(toStored(answered('{"path":"hunter2"}', null)));
  expect(context.openCalls).toEqual([{ ...read('c1'), argsText: '{"path":"hunter2"}' }]);
});

test('a step that another version has written differently is not read', () => {
  const stored = JSON.parse(JSON.stringify(toStored(answered('{}', null)))) as { at: string };
  expect(() => sessionStepOf({ ...stored, at: 'dreaming' })).toThrow(/at/);
});

test('the command of a call is the same each time, and another for each other call', () => {
  const of = { sessionId: SESSION, turn: 1, position: 0, call: read('c1'), isRepaired: false };
  expect(commandIdOfCall({ ...of })).toBe(commandIdOfCall(of));
  const others = [
    { ...of, turn: 2 },
    { ...of, position: 1 },
    { ...of, isRepaired: true },
    { ...of, call: read('c2') },
    { ...of, call: read('c1', 'b.ts') },
  ];
  expect(new Set([of, ...others].map(commandIdOfCall)).size).toBe(6);
});
