import { NO_USAGE } from '@signalbox/core';
import { expect, test } from 'vitest';
import { createActor, toPromise } from 'xstate';
import { newContext, type SessionContext } from './session-context.ts';
import type { SessionSteps } from './session-steps.ts';
import { createSessionMachine } from './session.machine.ts';
import { read, setUpHarness } from './testing/session-harness.ts';
import type { TurnOutcome } from './turn-outcome.ts';

const CALLS: TurnOutcome = {
  kind: 'ended',
  stop: 'tools',
  assistant: { role: 'assistant', parts: [{ kind: 'call', call: read('c1') }] },
  usage: NO_USAGE,
  costUsd: null,
};
const AWAY: TurnOutcome = { kind: 'failed', error: 'ServerError', message: 'no', retryInMs: 1 };

/** A session whose model calls one tool in each of its two turns, unless these steps say otherwise. */
async function runOn(own: Partial<SessionSteps>): Promise<SessionContext> {
  const steps: SessionSteps = {
    save: () => undefined,
    resume: async () => null,
    prepare: async () => undefined,
    takeTurn: async () => CALLS,
    backOff: async () => undefined,
    runCalls: async () => [],
    extend: async () => 0,
    rest: async () => null,
    close: async () => undefined,
    isBudgetSpent: () => false,
    isCompressionDue: () => false,
    compress: () => Promise.reject(new Error('not due')),
    ...own,
  };
  const input = newContext('You share a tree.', 'Merge a into b.', { maxTurns: 2 });
  const actor = createActor(createSessionMachine(steps), { input });
  const ended = toPromise(actor);
  actor.start();
  return ended;
}

const broken = (): Promise<never> => Promise.reject(new Error('a bug'));

test.each<[string, Partial<SessionSteps>]>([
  ['prepare', { prepare: broken }],
  ['takeTurn', { takeTurn: broken }],
  ['backOff', { takeTurn: async () => AWAY, backOff: broken }],
  ['runCalls', { runCalls: broken }],
  ['extend', { extend: broken }],
])('a session whose step breaks ends as failed, and is closed: %s', async (_name, own) => {
  const closed: (SessionContext['ending'] | undefined)[] = [];
  const { ending } = await runOn({ ...own, close: async (context) => void closed.push(context.ending) });
  expect(ending).toEqual({ finish: 'failed', message: 'The session failed inside Signalbox' });
  expect(closed).toEqual([ending]);
});

test('a session that can’t be closed keeps its ending', async () => {
  const { ending } = await runOn({ close: broken });
  expect(ending).toEqual({
    finish: 'max_iterations',
    message:
      'Stopped after 2 turns, before it had finished (run --turns N, or setting agents.tool_execution.max_iterations)',
  });
});

test('each step gets the session as it is then', async () => {
  const seen: string[] = [];
  const note =
    <Output>(name: string, output: Output) =>
    async ({ turn, attempt, openCalls, ending }: SessionContext): Promise<Output> => {
      seen.push(`${name} ${turn}.${attempt} ${openCalls.length} ${ending?.finish ?? ''}`.trim());
      return output;
    };
  let failures = 1;
  await runOn({
    prepare: note('prepare', undefined),
    takeTurn: (context) => note('takeTurn', failures-- > 0 ? AWAY : CALLS)(context),
    backOff: note('backOff', undefined),
    runCalls: note('runCalls', []),
    extend: note('extend', 0),
    close: note('close', undefined),
  });
  expect(seen).toEqual([
    'prepare 0.0 0',
    'takeTurn 1.1 0',
    'backOff 1.1 0',
    'takeTurn 1.2 0',
    'runCalls 1.2 1',
    'takeTurn 2.1 0',
    'runCalls 2.1 1',
    'extend 2.1 0',
    'close 2.1 0 max_iterations',
  ]);
});

test('a session of one turn says so', async () => {
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1')] }], () => ({ content: 'aaa' }));
  const { message } = await harness.start({ maxIterations: 1 }).finished;
  expect(message).toMatch(/^Stopped after 1 turn, /);
});

test('a session whose budget is spent says so', async () => {
  const harness = setUpHarness([]);
  const budget = { limitUsd: 1, spentUsd: () => 1, spend: () => undefined, isSpent: () => true };
  expect(await harness.start({ budget }).finished).toMatchObject({
    finish: 'budget',
    message: 'The budget is used up',
    turns: 0,
  });
});

test('a session that is cancelled while it asks for more turns ends as cancelled, whatever is granted', async () => {
  const harness = setUpHarness([{ kind: 'answer', calls: [read('c1')] }], () => ({ content: 'aaa' }));
  const session = harness.start({
    maxIterations: 1,
    async moreTurns() {
      session.cancel('ana said so');
      return 5;
    },
  });
  expect(await session.finished).toMatchObject({ finish: 'cancelled', message: 'ana said so', turns: 1 });
  expect(harness.provider.requests).toHaveLength(1);
});

test('a turn cut in the middle of its text is continued after what was said to the session before', async () => {
  const harness = setUpHarness([
    { kind: 'answer', text: 'First I', stop: 'length' },
    { kind: 'answer', text: 'Done.' },
  ]);
  const session = harness.start();
  harness.onEvent(
    (event) =>
      void (
        event.type === 'turn_started' &&
        event.turn === 1 &&
        session.say({ text: 'And b.', by: 'ana', interrupts: false })
      ),
  );
  await session.finished;
  expect(harness.provider.requests[1]?.messages.slice(3)).toEqual([
    { role: 'user', text: 'And b.' },
    {
      role: 'user',
      text: 'Your answer was cut at the output limit. Continue from there, in smaller steps.',
    },
  ]);
});

test('a turn cut after calls is not told of twice', async () => {
  const harness = setUpHarness([
    { kind: 'answer', calls: [read('c1')], stop: 'length' },
    { kind: 'answer', text: 'Done.' },
  ]);
  await harness.start().finished;
  expect(harness.provider.requests[1]?.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
  ]);
});
