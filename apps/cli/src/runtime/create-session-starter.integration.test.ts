import { createBudget, type SessionStart } from '@signalbox/coordinator';
import { createId, createRedactor, ProviderId } from '@signalbox/core';
import { createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../testing/open-test-runtime.ts';
import { type RecordedModel, startRecordedModel } from '../testing/recorded-model.ts';
import { createSessionStarter } from './create-session-starter.ts';

const random = createSeededRandom(3);
const LOOK = [{ tool: 'list_directory', args: {} }];
const M = ProviderId.parse('m');

/** A coordinator whose provider `m` is this model. */
function runtimeOf(
  model: RecordedModel,
  { provider = {}, ...settings }: Readonly<{ provider?: object } & Record<string, unknown>> = {},
): Promise<TestRuntime> {
  const m = { api: 'openai-chat', base_url: model.url, model: 'recorded', api_key_env: 'M_KEY', ...provider };
  return openTestRuntime({ settings: { ...settings, providers: { m } } });
}

function starterOf({ runtime, logger }: TestRuntime, apiKeys: Readonly<Record<string, string>> = {}) {
  const redactor = createRedactor({ secrets: [] });
  const prepare = createSessionStarter({
    coordinator: runtime.coordinator,
    events: runtime.events,
    settings: () => runtime.settings,
    apiKeys,
    clock: createSystemClock(),
    random,
    redactor,
    logger,
  });
  return { prepare, redactor };
}

function aStart(more: Partial<SessionStart> = {}): SessionStart {
  return {
    provider: M,
    task: 'Look around',
    sessionId: createId('session', random),
    runId: createId('run', random),
    turns: undefined,
    budget: createBudget(null),
    keys: {},
    signal: new AbortController().signal,
    context: {},
    ...more,
  };
}

test('a session asks its model as the settings say, and its calls carry their trust, priority and tools', async () => {
  const model = await startRecordedModel([() => LOOK]);
  await using own = await runtimeOf(model, {
    provider: {
      model: 'big',
      temperature: 0.2,
      max_output_tokens: 77,
      trust: 'untrusted',
      priority: 7,
      tools: ['list_directory'],
    },
  });
  const { prepare } = starterOf(own, { M_KEY: 'sk-of-the-coordinator' });
  const start = aStart();
  const session = prepare(start)();
  const listed = await own.runtime.coordinator.actors();
  expect(JSON.stringify(listed)).toContain(start.sessionId);
  expect(await session.finished).toMatchObject({
    finish: 'finished',
    message: 'Done.',
    turns: 2,
    costUsd: null,
  });

  expect(model.received[0]).toMatchObject({
    headers: { authorization: 'Bearer sk-of-the-coordinator' },
    body: {
      model: 'big',
      temperature: 0.2,
      max_tokens: 77,
      messages: [{ role: 'system' }, { role: 'user', content: 'Look around' }],
    },
  });
  // With the session's own tool.
  expect(model.requests[0]?.tools.map((tool) => tool.function.name)).toEqual([
    'compress_context',
    'list_directory',
  ]);
  const [record] = await own.runtime.store.list({ sessionId: start.sessionId });
  expect(record?.context).toMatchObject({
    sessionId: start.sessionId,
    provider: 'm',
    trust: 'untrusted',
    priority: 7,
    tools: expect.arrayContaining(['list_directory']),
    task: 'Look around',
  });
  await own.event('session_ended', ({ sessionId }) => sessionId === start.sessionId);
});

test('a session without a list of tools is offered all of them, and no temperature is sent if the settings have none', async () => {
  const model = await startRecordedModel([() => LOOK]);
  await using own = await runtimeOf(model, { provider: { temperature: null } });
  const start = aStart({ context: { priority: 3 } });
  await starterOf(own, { M_KEY: 'sk-a' }).prepare(start)().finished;
  expect(model.requests[0]?.tools.map((tool) => tool.function.name)).toEqual(
    expect.arrayContaining(['bash', 'read_file']),
  );
  expect(Object.keys(model.received[0]?.body ?? {})).not.toContain('temperature');
  const [record] = await own.runtime.store.list({ sessionId: start.sessionId });
  expect(record?.context.priority).toBe(3);
  expect(record?.context.tools).toBeUndefined();
});

test('the key that a client sends for its run is used, and removed from everything that is reported', async () => {
  const model = await startRecordedModel([]);
  await using own = await runtimeOf(model);
  const { prepare, redactor } = starterOf(own, { M_KEY: 'sk-of-the-coordinator' });
  const key = 'only-for-this-run';
  await prepare(aStart({ keys: { M_KEY: key }, task: `Look at ${key}` }))().finished;
  expect(model.received[0]?.headers).toMatchObject({ authorization: `Bearer ${key}` });
  expect(redactor.redact(key)).not.toContain(key);
  const { task } = await own.event('session_started');
  expect(task).not.toContain(key);
});

test('a key that no provider reads is refused before the session begins', async () => {
  const model = await startRecordedModel([]);
  await using own = await runtimeOf(model);
  const { prepare } = starterOf(own, { M_KEY: 'sk-a' });
  const keys = { M_KEY: 'sk-of-this-run', LD_PRELOAD: '/tmp/x.so', PATH: '/tmp' };
  expect(() => prepare(aStart({ keys }))).toThrow(
    expect.objectContaining({
      code: 'unknown-key',
      message: 'Cannot use a key that no provider in the settings names',
      why: ['LD_PRELOAD', 'PATH'],
      next: ['signalbox config get providers'],
    }),
  );
  expect(model.received).toEqual([]);
});

test.each([
  [undefined, 2],
  [3, 3],
])('a session takes the turns of its run, else those of the settings: %s', async (turns, taken) => {
  const model = await startRecordedModel([() => LOOK, () => LOOK, () => LOOK, () => LOOK]);
  await using own = await runtimeOf(model, { agents: { tool_execution: { max_iterations: 2 } } });
  const session = starterOf(own, { M_KEY: 'sk-a' }).prepare(aStart({ turns }))();
  expect(await session.finished).toMatchObject({ finish: 'max_iterations', turns: taken });
});

test('a model that fails for a moment is asked again, as often as the settings say', async () => {
  const model = await startRecordedModel([], { failures: 1 });
  await using own = await runtimeOf(model, {
    tools: { retry: { max_attempts: 2, base_ms: 1, max_ms: 1, budget_secs: 1 } },
  });
  const session = starterOf(own, { M_KEY: 'sk-a' }).prepare(aStart())();
  expect(await session.finished).toMatchObject({ finish: 'finished' });
  expect(model.received).toHaveLength(2);
});

test('a cancelled session cancels its commands, in the name of its provider', async () => {
  const model = await startRecordedModel([() => [{ tool: 'bash', args: { line: 'sleep 600' } }]]);
  await using own = await runtimeOf(model);
  const start = aStart();
  const session = starterOf(own, { M_KEY: 'sk-a' }).prepare(start)();
  const { commandId } = await own.event('command_started');
  session.cancel('ana said so');
  expect(await session.finished).toMatchObject({ finish: 'cancelled', commandIds: [commandId] });
  const record = await own.runtime.store.get(commandId);
  expect(record?.result?.outcome).toMatchObject({
    kind: 'cancelled',
    failure: { message: 'Cancelled by m: ana said so' },
  });
});

test('a turn that takes too long ends the session', async () => {
  const model = await startRecordedModel([() => new Promise(() => undefined)]);
  await using own = await runtimeOf(model, {
    provider: { timeouts: { first_byte: '1s', idle: '1s', total: '1s' } },
    tools: { retry: { max_attempts: 1 } },
  });
  const session = starterOf(own, { M_KEY: 'sk-a' }).prepare(aStart())();
  expect(await session.finished).toMatchObject({ finish: 'failed', turns: 0 });
  expect(model.received).toHaveLength(1);
});
