import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';
import { callOf, chatTurn, startModel, workspaceWith } from './model-server.ts';

test('on Redis events are published on the channel of the settings (setting: monitoring.pubsub_topic)', async () => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  const socket = connect(server.url);
  onTestFinished(() => void socket.destroy());
  let heard = '';
  socket.on('data', (bytes: Buffer) => (heard += bytes.toString()));
  socket.write('PSUBSCRIBE *\r\n');
  await once(socket, 'data');
  const model = await startModel([chatTurn(callOf('echo', { text: 'a' }))]);
  const workspace = await workspaceWith(
    { base_url: model.url },
    { monitoring: { pubsub_topic: 'shop:news' } },
  );
  writeFileSync(join(workspace, 'signalbox.yaml'), 'backend: redis\n');
  const env = { SIGNALBOX_REDIS_URL: server.url };
  await createTestTerminal(workspace, { env }).signalbox('run', 'Look', '-p', 'gate', '--until', 'true');
  await expect.poll(() => heard, { timeout: 20_000 }).toMatch(/:shop:news\r\n/);
});

test('a line of a provider needs a worker with its labels (setting: providers.*.sandbox.labels)', async () => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  onTestFinished(() => server.close());
  const env = { SIGNALBOX_REDIS_URL: server.url };
  const seen: string[] = [];
  for (const labels of [[], ['gpu']]) {
    const model = await startModel([chatTurn(callOf('bash', { line: 'echo hello' }))]);
    const workspace = await workspaceWith({ base_url: model.url, sandbox: { labels } });
    writeFileSync(join(workspace, 'signalbox.yaml'), 'backend: redis\n');
    const run = await createTestTerminal(workspace, { env }).signalbox(
      'run',
      'Look',
      '-p',
      'gate',
      '--until',
      'true',
    );
    // Without a worker no line of the provider can run: the session ends, since nobody attends it.
    seen.push(JSON.stringify(model.requests[1]?.body['messages'] ?? run.talk));
  }
  expect(seen).toEqual([expect.stringContaining('exit code: 0'), expect.stringContaining('gpu')]);
});
