import { expect, test } from 'vitest';
import { openScripted, step } from './testing/scripted-server.ts';

const CRITICAL_SHELL = { agents: { tool_execution: { critical_tools: ['bash'] } } } as const;

test('after a critical failure a session waits for any client, and continues or ends as it says (S000-68, L-15) (setting: agents.tool_execution.critical_tools)', async () => {
  const turns = [step('I deploy.', 'exit 3'), step('I deploy again.', 'exit 4'), step('Done.')];
  await using server = await openScripted(turns, undefined, CRITICAL_SHELL);
  const { body } = await server.ask<{ sessionId: string }>('POST', '/api/sessions', {
    body: { provider: 'one', task: 'Deploy' },
  });
  const answer = (more: number) =>
    server.ask('POST', `/api/sessions/${body.sessionId}/turns`, { body: { turns: more } });
  const asked = await server.of.event('turns_requested');
  expect(asked).toMatchObject({ failure: expect.stringMatching(/^bash: .*exit/i), turns: 100 });
  const { body: now } = await server.ask('GET', '/api/sessions');
  expect(now).toMatchObject({ sessions: [{ needsTurns: true, criticalFailure: asked.failure, turns: 1 }] });
  expect((await answer(1)).status).toBe(202);
  await server.of.event('turns_requested', ({ id }) => id !== asked.id);
  expect((await answer(0)).status).toBe(202);
  expect(await server.of.event('session_ended')).toMatchObject({
    finish: 'failed',
    message: expect.stringMatching(/^Stopped, since a call failed: bash: /),
    turns: 2,
  });
});

test.each([
  ['stop', { finish: 'failed', turns: 1 }],
  ['continue', { finish: 'finished', turns: 2 }],
])(
  'on a critical failure a session can also %s by itself (setting: agents.tool_execution.on_critical_failure)',
  async (on, ending) => {
    const policy = { ...CRITICAL_SHELL.agents.tool_execution, on_critical_failure: on };
    await using server = await openScripted([step('I deploy.', 'exit 3'), step('Done.')], undefined, {
      agents: { tool_execution: policy },
    });
    await server.ask('POST', '/api/sessions', { body: { provider: 'one', task: 'Deploy' } });
    expect(await server.of.event('session_ended')).toMatchObject(ending);
  },
);
