import { createSystemClock } from '@signalbox/embedded';
import { expect, test } from 'vitest';
import { createMilestones } from '../../commands/demo/milestones.ts';
import { startModelServer } from '../../commands/demo/model-server.ts';
import type { DemoStep } from '../../commands/demo/script.ts';
import { openTestServer } from '../../testing/open-test-server.ts';

const step = (say: string, line?: string): readonly DemoStep[] => [
  { say, calls: line === undefined ? [] : [{ tool: 'bash', args: { line } }], thinkMs: 0 },
];

/** A coordinator whose one provider is a scripted model on the loopback interface. */
async function openScripted(turns: readonly (readonly DemoStep[])[]) {
  const model = await startModelServer({
    scripts: [{ provider: 'openai', model: 'scripted', task: '', turns }],
    milestones: createMilestones(),
    clock: createSystemClock(),
    fast: true,
  });
  const server = await openTestServer({
    settings: {
      providers: {
        openai: { api: 'openai-chat', base_url: `${model.url}/v1`, model: 'scripted', api_key_env: null },
        keyless: {
          api: 'openai-chat',
          base_url: `${model.url}/v1`,
          model: 'scripted',
          api_key_env: 'NO_KEY',
        },
      },
    },
  });
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await model.stop();
    },
  };
}

type Session = Readonly<{ id: string; state: string; finish: string | null; says: string; turns: number }>;

test('a session is started over HTTP, listed while it runs, and shown turn by turn with its calls (S002-51, S002-48)', async () => {
  await using opened = await openScripted([step('I look.', 'echo seen'), step('Done.')]);
  const { ask, of } = opened.server;
  const started = await ask<{ sessionId: string }>('POST', '/api/sessions', {
    body: { provider: 'openai', task: 'Look around' },
  });
  expect(started.status).toBe(202);
  const { sessionId } = started.body;
  await of.event('session_ended', (event) => event.sessionId === sessionId);
  const { body: listed } = await ask<{ sessions: readonly Session[] }>('GET', '/api/sessions');
  expect(listed.sessions).toMatchObject([
    { id: sessionId, provider: 'openai', task: 'Look around', state: 'ended', finish: 'finished', turns: 2 },
  ]);
  const { body: reported } = await ask('GET', `/api/sessions/${sessionId}/transcript`);
  expect(reported).toMatchObject({
    session: { id: sessionId, says: 'Done.' },
    items: [
      { kind: 'turn', says: 'I look.', calls: 1 },
      { kind: 'call', tool: 'bash', title: 'bash echo seen', success: true, outcome: 'completed' },
      { kind: 'turn', says: 'Done.', calls: 0 },
    ],
  });
});

test('calls of a session started with a priority have that priority (S003-74)', async () => {
  await using opened = await openScripted([step('I look.', 'echo seen'), step('Done.')]);
  const { ask, of } = opened.server;
  await ask('POST', '/api/sessions', { body: { provider: 'openai', task: 'Look around', priority: 7 } });
  const { commandId } = await of.event('command_completed');
  expect((await of.runtime.store.get(commandId))?.context.priority).toBe(7);
});

test('a session stopped over HTTP takes no further turn, and its running commands are cancelled', async () => {
  await using opened = await openScripted([step('I wait.', 'sleep 60'), step('Never said.')]);
  const { ask, of } = opened.server;
  const { body } = await ask<{ sessionId: string }>('POST', '/api/sessions', {
    body: { provider: 'openai', task: 'Wait' },
  });
  const { commandId } = await of.event('command_started');
  const { body: running } = await ask<{ sessions: readonly Session[] }>('GET', '/api/sessions');
  expect(running.sessions).toMatchObject([{ id: body.sessionId, state: 'running' }]);
  expect((await ask('POST', `/api/sessions/${body.sessionId}/stop`, { body: {} })).status).toBe(202);
  await of.event('session_ended', (event) => event.sessionId === body.sessionId);
  expect((await of.runtime.store.get(commandId))?.result?.outcome.kind).toBe('cancelled');
  const { body: reported } = await ask('GET', `/api/sessions/${body.sessionId}/transcript`);
  expect(reported).toMatchObject({ session: { finish: 'cancelled' } });
  expect(JSON.stringify(reported)).not.toContain('Never said');
});

test('an unknown session and a provider that can’t work are rejected with the reason and the next step', async () => {
  await using opened = await openScripted([]);
  const { ask } = opened.server;
  const start = (provider: string) => ask('POST', '/api/sessions', { body: { provider, task: 'Anything' } });
  expect(await start('nobody')).toMatchObject({ status: 400, body: { code: 'unknown-provider' } });
  expect(await start('keyless')).toMatchObject({ status: 503, body: { code: 'missing-api-key' } });
  for (const [method, path] of [
    ['GET', '/api/sessions/ses_aaaaaaaaaaaa/transcript'],
    ['POST', '/api/sessions/ses_aaaaaaaaaaaa/stop'],
  ] as const) {
    expect(await ask(method, path)).toMatchObject({ status: 404, body: { code: 'unknown-session' } });
  }
});
