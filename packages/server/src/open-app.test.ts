import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from './open-app.ts';

test('where there are too many connections, those that rest give way to who asks for something', async () => {
  const app = openApp({ tls: null });
  app.get('/', async () => 'served');
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  app.server.maxConnections = 2;
  const clients: Socket[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.destroy();
    await app.close();
  });
  const open = (): Socket => {
    const client = connect(Number(url.port), '127.0.0.1');
    // It may be reset.
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };
  const resting = [open(), open()];
  for (const client of resting) {
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(client, 'data');
  }
  // The first one that is turned away makes room for those behind it.
  const ask = (): Promise<string> =>
    fetch(url).then(
      async (answer) => answer.text(),
      () => 'turned away',
    );
  expect(await ask()).toBe('turned away');
  await expect.poll(ask).toBe('served');
});
