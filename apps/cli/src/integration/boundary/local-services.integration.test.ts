import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ANA = { name: 'ana', channel: 'test' } as const;

/** Answers every request like a healthy Redis. */
async function openRedis(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('+PONG\r\n'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('a line that needs a database needs approval for its port, and reaches only that port (S003-92)', async () => {
  const { server, port } = await openRedis();
  await using own = await openTestRuntime();
  const line = `redis-cli -h 127.0.0.1 -p ${port} ping`;
  const asked = own.submit('openai', 'bash', { args: { line } });
  await own.event('approval_requested');
  await asked.resting;
  const { record } = asked;
  expect(record.verdict?.effects).toContainEqual({ kind: 'network', host: `localhost:${port}` });
  const hash = record.approval?.callHash;
  if (hash === undefined) throw new Error('nothing to answer');
  await own.runtime.coordinator.approvals.answer(
    asked.commandId,
    { kind: 'approve' },
    { by: ANA, expect: hash },
  );
  expect((await asked.result).content).toContain('PONG');
  server.close();
});

test.for([
  ['mix ecto.migrate', 'localhost:5432'],
  ['curl -s localhost:3000/health', 'localhost:3000'],
] as const)('the approval says which service %s reaches', async ([line, host]) => {
  const { signalbox } = createTestTerminal(ownWorkspace());
  const { exit, out } = await signalbox('check', '--', line);
  expect(out).toContain(`reaches ${host}`);
  // Without mix no approval would be requested.
  expect(exit).toBe(out.startsWith('fails') ? 1 : 4);
});
