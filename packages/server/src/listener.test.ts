import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openListener } from './listener.ts';
import { openApp } from './open-app.ts';

test('at the connection limit, idle connections are closed in favour of new requests', async () => {
  const app = openApp();
  app.get('/', async () => 'served');
  await app.ready();
  const { server } = await openListener(app, {
    at: { host: '127.0.0.1', port: 0 },
    tls: null,
    onRequest: () => undefined,
  });
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  server.maxConnections = 2;
  const clients: Socket[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    server.close();
    await app.close();
  });
  const open = (): Socket => {
    const client = connect(port, '127.0.0.1');
    // The connection may be reset.
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };
  const resting = [open(), open()];
  for (const client of resting) {
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
  }
  // The first rejected connection makes room for those behind it.
  const ask = (): Promise<string> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      async (answer) => answer.text(),
      () => 'turned away',
    );
  expect(await ask()).toBe('turned away');
  await expect.poll(ask).toBe('served');
});
