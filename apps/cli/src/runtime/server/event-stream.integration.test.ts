import { connect } from 'node:net';
import type { Event, NewEvent } from '@signalbox/core';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../testing/open-test-server.ts';

type Frame = Readonly<{ id: string | null; event: string; data: string }>;

/** Reads server-sent events until `enough` returns true, then disconnects. */
async function framesUntil(
  own: TestServer,
  query: string,
  {
    enough,
    headers = {},
  }: Readonly<{ enough: (frame: Frame, all: readonly Frame[]) => boolean; headers?: Record<string, string> }>,
): Promise<readonly Frame[]> {
  const response = await fetch(new URL(`/api/events${query}`, own.url), {
    headers: { authorization: `Bearer ${own.token}`, ...headers },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const frames: Frame[] = [];
  const messages = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id = null, event = 'message', data } of messages ?? []) {
    const frame = { id, event, data };
    frames.push(frame);
    if (enough(frame, frames)) break;
  }
  return frames;
}

const eventOf = ({ data }: Frame): Event => JSON.parse(data) as Event;
const endOf = (command: string) => (frame: Frame) =>
  frame.event === 'message' &&
  eventOf(frame).type === 'command_completed' &&
  (eventOf(frame) as { commandId?: string }).commandId === command;

async function run(own: TestServer, line: string): Promise<string> {
  const { body } = await own.ask<{ id: string }>('POST', '/api/commands', {
    body: { tool: 'bash', args: { line }, wait: true },
  });
  return body.id;
}

test('a watcher that reconnects receives what it missed, each event once and in order (R1)', async () => {
  await using own = await openTestServer();
  const first = await run(own, 'echo one');
  const all = await framesUntil(own, '?after=0-0', {
    enough: (frame) => frame.event === 'reset' || endOf(first)(frame),
  });
  const seen = all.filter(({ id }) => id !== null).slice(0, 3);
  const middle = seen.at(-1)?.id ?? '';
  const second = await run(own, 'echo two');
  const rest = await framesUntil(own, '', { enough: endOf(second), headers: { 'last-event-id': middle } });
  expect(rest[0]?.event).toBe('hello');
  const ids = [...seen, ...rest].flatMap(({ id }) => id ?? []);
  const whole = await own.of.runtime.events.since(null, 100_000);
  const stored = whole.kind === 'events' ? whole.events.map(({ id }) => id as string) : [];
  expect(ids).toEqual(stored.slice(0, ids.length));
});

test('nothing is missed or repeated between the backlog and live events under load', async () => {
  await using own = await openTestServer();
  const said = (n: number): NewEvent => ({
    type: 'mode_changed',
    from: 'NORMAL',
    to: 'NORMAL',
    by: 'test',
    reason: String(n),
  });
  await own.of.runtime.events.append(Array.from({ length: 3000 }, (_, n) => said(n)));
  const start = await own.of.runtime.events.since(null, 1);
  const from = start.kind === 'events' ? start.events[0]?.id : undefined;
  const watching = Promise.all(
    [1, 2, 3].map(() =>
      framesUntil(own, `?after=${from}`, { enough: (frame) => frame.data.includes('"reason":"3999"') }),
    ),
  );
  for (let n = 3000; n < 4000; n++) await own.of.runtime.events.append([said(n)]);
  for (const frames of await watching) {
    const reasons = frames.flatMap((frame) => {
      const event = frame.event === 'message' ? eventOf(frame) : null;
      return event?.type === 'mode_changed' && event.by === 'test' ? Number(event.reason) : [];
    });
    expect(reasons).toEqual(Array.from({ length: 4000 }, (_, n) => n));
  }
});

test('a watcher that reconnects too late is told to start over', async () => {
  await using own = await openTestServer();
  const frames = await framesUntil(own, '', {
    enough: ({ event }) => event === 'reset',
    headers: {
      'last-event-id': '99999999999999-0',
    },
  });
  expect(frames.at(-1)?.event).toBe('reset');
  expect(JSON.parse(frames.at(-1)?.data ?? '{}')).toHaveProperty('lastId');
  expect((await own.ask('GET', '/api/events', { headers: { 'last-event-id': 'nonsense' } })).status).toBe(
    400,
  );
});

test('a watcher receives only what it subscribed to', async () => {
  await using own = await openTestServer();
  const start = await own.of.runtime.events.lastId();
  const first = await run(own, 'echo first');
  const second = await run(own, 'echo second');
  const typesOf = async (query: string): Promise<readonly string[]> =>
    (
      await framesUntil(own, `?after=${start}&${query}`, {
        enough: endOf(query.includes(first) ? first : second),
      })
    )
      .filter(({ event }) => event === 'message')
      .map((frame) => eventOf(frame).type);
  expect(await typesOf('output=none')).not.toContain('command_output');
  expect(await typesOf('types=command_completed')).toEqual(['command_completed', 'command_completed']);
  expect((await typesOf(`command=${first}`)).filter((type) => type === 'command_submitted')).toHaveLength(1);
});

test('a watcher that does not read is disconnected, and costs the others nothing', async () => {
  await using own = await openTestServer();
  const { port } = new URL(own.url);
  const stalled = connect(Number(port), '127.0.0.1');
  const gone = new Promise<void>((resolve) => stalled.on('close', () => resolve()));
  stalled.on('error', () => undefined);
  stalled.write(
    `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${own.token}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => stalled.once('readable', () => resolve()));
  let heard = Promise.withResolvers<void>();
  const reading = framesUntil(own, '', {
    enough: (frame) => {
      heard.resolve();
      return frame.data.includes('"reason":"last"');
    },
  });
  await heard.promise;
  const text = 'x'.repeat(200_000);
  for (const reason of [...Array.from({ length: 120 }, (_, n) => `${n} ${text}`), 'last']) {
    heard = Promise.withResolvers<void>();
    await own.of.runtime.events.append([
      { type: 'mode_changed', from: 'NORMAL', to: 'NORMAL', by: 'test', reason },
    ]);
    await heard.promise;
  }
  expect((await reading).at(-1)?.data).toContain('"reason":"last"');
  stalled.resume();
  await gone;
});

test('12 MB of missed events reach a reader that is slower than the log, each once (U-B6)', async () => {
  await using own = await openTestServer();
  const from = (await own.of.runtime.events.append([reasoned('start')]))[0]?.id ?? '';
  const text = 'x'.repeat(60_000);
  for (let n = 0; n < 200; n += 20) {
    await own.of.runtime.events.append(Array.from({ length: 20 }, (_, i) => reasoned(`${n + i} ${text}`)));
  }
  const { port } = new URL(own.url);
  const slow = connect(Number(port), '127.0.0.1');
  let bytes = 0;
  let rest = '';
  const reported: number[] = [];
  const done = Promise.withResolvers<void>();
  slow.on('close', () => done.reject(new Error(`broken after ${bytes} bytes`)));
  slow.on('data', (piece) => {
    bytes += piece.length;
    rest = (rest + piece.toString('latin1')).slice(-200_000);
    for (const [, n] of rest.matchAll(/"reason":"(\d+) /g)) {
      if (reported.at(-1) === undefined || Number(n) > (reported.at(-1) ?? 0)) reported.push(Number(n));
    }
    if (rest.includes('"reason":"last"')) done.resolve();
    // Everything else in the process gets a turn between two chunks.
    slow.pause();
    setImmediate(() => slow.resume());
  });
  slow.write(
    `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${own.token}\r\nLast-Event-ID: ${from}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => slow.once('data', () => resolve()));
  await own.of.runtime.events.append([reasoned('last')]);
  await done.promise;
  slow.removeAllListeners('close').destroy();
  expect(bytes).toBeGreaterThan(12_000_000);
  expect(reported).toEqual(Array.from({ length: 200 }, (_, n) => n));
});

function reasoned(reason: string): NewEvent {
  return { type: 'mode_changed', from: 'NORMAL', to: 'NORMAL', by: 'test', reason };
}
