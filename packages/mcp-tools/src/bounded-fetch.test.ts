import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createManualClock } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';
import { createMessageBudget } from './message-bounds.ts';

const EVENT = 'event: message\r\ndata: {}\r\n\r\n';

test.for([
  ['20,000 events', EVENT.repeat(20_000), null],
  ['one message too many', EVENT.repeat(20_001), 'sent over 20000 messages within 10 s'],
  ['an event of 8 MiB', `data: ${'x'.repeat(8 * 1024 * 1024)}`, 'sent a message of over 8388608 bytes'],
] as const)('a stream with %s is read up to the bound', async ([, body, given]) => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const why: string[] = [];
  const fetch = boundedFetch(createMessageBudget(createManualClock()), (reason) => why.push(reason));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const read = await response.text().then(
    (text) => text.length,
    (error: Error) => error.message,
  );
  expect([read, why]).toEqual(given === null ? [body.length, []] : [`it ${given}`, [given]]);
  server.closeAllConnections();
  server.close();
});
