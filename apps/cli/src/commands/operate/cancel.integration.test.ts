import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { expect, test } from 'vitest';

/** On a stop request it prints once more, a second later. */
const CLEANS_UP = `trap 'sleep 1; echo late; exit' TERM; echo ready; while :; do sleep 0.1; done`;

/** A running command. */
async function openRunning(own: TestServer) {
  const submitted = own.of.submit('openai', 'bash', { args: { line: CLEANS_UP } });
  await own.of.event('command_output', ({ commandId }) => commandId === submitted.commandId);
  return submitted;
}

test('cancel --now kills a running command without time to clean up, and says who did it', async () => {
  await using own = await openTestServer({ settings: { approval: { approval_mode: 'allow_all' } } });
  const { signalbox } = createTestTerminal(own.of.workspace);
  const { commandId, result } = await openRunning(own);
  const reported = await signalbox('cancel', commandId, '--now', '-m', 'enough');
  expect(reported).toMatchObject({ exit: 0, out: expect.stringContaining('its process is killed') });
  expect(await result).toMatchObject({
    stdout: 'ready\n',
    outcome: { kind: 'cancelled', failure: { message: expect.stringMatching(/ana.*enough/) } },
  });
  expect(own.of.auditLines().at(-1)).toMatchObject({
    command_id: commandId,
    error_detail: expect.stringMatching(/ana.*enough/),
  });
});

test('over HTTP the forced stop is requested in the body, by name', async () => {
  await using own = await openTestServer({ settings: { approval: { approval_mode: 'allow_all' } } });
  const { commandId, result } = await openRunning(own);
  const cancel = (body: unknown) => own.ask('POST', `/api/commands/${commandId}/cancel`, { body });
  expect((await cancel({ haste: 'soon' })).status).toBe(400);
  expect(await cancel({ haste: 'now' })).toMatchObject({ status: 200, body: { kind: 'stopping' } });
  expect((await result).stdout).toBe('ready\n');
});
