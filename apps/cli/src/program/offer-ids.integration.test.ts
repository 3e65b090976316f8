import { once } from 'node:events';
import { createServer } from 'node:http';
import { type CommandId, shortId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../testing/open-test-runtime.ts';
import { createTestTerminal } from '../testing/test-context.ts';

async function approve({ runtime: { store, coordinator } }: TestRuntime, id: CommandId): Promise<void> {
  const approval = (await store.get(id))?.approval;
  if (approval == null) throw new Error('it does not ask');
  const by = { name: 'ana', channel: 'cli' } as const;
  await coordinator.approvals.answer(id, { kind: 'approve' }, { by, expect: approval.callHash });
}

test('Tab offers the commands that a subcommand can act on, newest first, with descriptions', async () => {
  await using own = await openTestRuntime({ settings: { approval: { prompt_on_warning: true } } });
  const ended = own.submit('openai', 'bash', { args: { line: 'echo ended' } });
  await ended.result;
  const written = own.submit('openai', 'write_file', { args: { path: 'new.txt', content: 'new' } });
  await written.resting;
  await approve(own, written.commandId);
  await written.result;
  const asks = own.submit('anthropic', 'bash', { args: { line: 'touch asked' } });
  await asks.resting;
  const later = own.submit('anthropic', 'bash', { args: { line: 'touch "later\u001b[31m"' } });
  await later.resting;
  const { signalbox } = createTestTerminal(own.workspace);
  const offered = async (line: string): Promise<readonly string[]> => {
    const { exit, out, talk } = await signalbox('completion', '--ids', line);
    expect({ exit, talk }).toEqual({ exit: 0, talk: '' });
    return out.split('\n').slice(0, -1);
  };
  const rows = {
    asks: `${shortId(asks.commandId)}\tanthropic bash touch asked`,
    later: `${shortId(later.commandId)}\tanthropic bash touch "later\\x1b[31m"`,
    written: `${shortId(written.commandId)}\topenai write_file new.txt`,
  };
  expect(await offered('signalbox approve ')).toEqual([rows.later, rows.asks]);
  expect(await offered(`signalbox deny ${shortId(later.commandId)} `)).toEqual([rows.asks]);
  expect(await offered('signalbox deny -m ')).toEqual([]);
  expect(await offered('signalbox cancel ')).toEqual([rows.later, rows.asks]);
  expect(await offered('signalbox undo ')).toEqual([rows.written]);
  expect(await offered('signalbox status ')).toHaveLength(4);
  expect(await offered(`signalbox output ${ended.commandId}`)).toEqual([
    `${ended.commandId}\topenai bash echo ended`,
  ]);
  expect(await offered('signalbox mode ')).toEqual([]);
  expect(await signalbox('undo', written.commandId)).toMatchObject({ exit: 0 });
  expect(await offered('signalbox undo ')).not.toContain(rows.written);
  expect(await offered('signalbox diff ')).toContain(rows.written);
});

test('Tab offers nothing in an empty workspace or without a server', async () => {
  await using own = await openTestRuntime();
  const { signalbox } = createTestTerminal(own.workspace, { env: { SIGNALBOX_TOKEN: 'none' } });
  for (const line of [
    'signalbox -C no/such/folder approve ',
    'signalbox approve --server http://127.0.0.1:1 ',
    'signalbox approve --server nonsense ',
  ]) {
    expect(await signalbox('completion', '--ids', line)).toEqual({ exit: 0, out: '', talk: '' });
  }
});

test('Tab waits two seconds for an unresponsive server, then gives up', async () => {
  await using own = await openTestRuntime();
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  let left = 0;
  const { signalbox } = createTestTerminal(own.workspace, {
    env: { SIGNALBOX_TOKEN: 'none' },
    interrupts: {
      listen: () => () => undefined,
      raise() {
        left += 1;
        // A real process would have ended by now.
        server.on('connection', (socket) => socket.destroy());
        server.closeAllConnections();
      },
    },
  });
  const line = `signalbox cancel --server http://127.0.0.1:${address.port} `;
  expect(await signalbox('completion', '--ids', line)).toEqual({ exit: 0, out: '', talk: '' });
  expect(left).toBe(1);
  server.close();
});
