import { randomBytes } from 'node:crypto';
import { createId, type Event, type NodeId } from '@signalbox/core';
import { anOutputEvent, createMemoryLogger } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisBackend } from '../backend.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { startRedisServer } from '../testing/redis-server.ts';

async function start() {
  const server = await startRedisServer();
  onTestFinished(() => server.close());

  async function openCoordinator(topic?: string) {
    const logger = createMemoryLogger();
    const id: NodeId = createId('coordinator', randomBytes);
    const backend = await createRedisBackend({
      url: server.url,
      workspace: 'shop',
      clock: createRealClock(),
      random: randomBytes,
      limits: { maxConcurrent: 3, maxQueuePerProvider: 10, maxWaitMs: 60_000, leaseTtlMs: 30_000 },
      logger,
      volatile: true,
      topic,
      member: {
        id,
        kind: 'coordinator',
        host: 'here',
        pid: 1,
        identity: {},
        version: '1',
        labels: [],
        concurrency: 0,
      },
    });
    onTestFinished(() => backend.close());
    return { ...backend, lines: logger.lines };
  }

  /** The first message an independent client receives that knows only Redis and JSON. */
  async function subscribe(channel: string): Promise<{ first: Promise<string> }> {
    const redis = new Redis(server.url);
    onTestFinished(() => redis.disconnect());
    const { promise, resolve } = Promise.withResolvers<string>();
    redis.on('message', (_, message) => resolve(message));
    await redis.subscribe(channel);
    return { first: promise };
  }
  return { openCoordinator, subscribe };
}

test('a published message is one JSON object with id, at and type, and the event as stored in the log (S003-47, S003-50)', async () => {
  const { openCoordinator, subscribe } = await start();
  const { events } = await openCoordinator();
  const heard = await subscribe('{shop}:tools:execution');
  const [stored] = await events.append([anOutputEvent('done {"id":"0-0"}')]);
  const frame = JSON.parse(await heard.first) as Event;
  expect(frame).toEqual(stored);
  expect(Object.keys(frame).slice(0, 3)).toEqual(['id', 'at', 'type']);
});

test('events are published on the topic in the settings (S003-61)', async () => {
  const { openCoordinator, subscribe } = await start();
  const { events } = await openCoordinator('ours:live');
  const heard = await subscribe('{shop}:ours:live');
  const [stored] = await events.append([anOutputEvent('a')]);
  expect(JSON.parse(await heard.first)).toEqual(stored);
});

test('coordinators with different topics in their settings all use the topic of the first', async () => {
  const { openCoordinator } = await start();
  const first = await openCoordinator('one');
  const second = await openCoordinator('two');
  const heard: Event[] = [];
  first.events.subscribe((event) => heard.push(event));
  const stored = await second.events.append([anOutputEvent('a')]);
  await first.events.caughtUp();
  expect(heard).toEqual(stored);
  expect(second.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: expect.stringContaining('pubsub_topic differs') }),
  );
});

test('once all coordinators have left, the next one sets the topic', async () => {
  const { openCoordinator, subscribe } = await start();
  const first = await openCoordinator('one');
  await first.members?.leave('settled');
  await first.close();
  const second = await openCoordinator('two');
  const heard = await subscribe('{shop}:two');
  await second.events.append([anOutputEvent('a')]);
  expect(JSON.parse(await heard.first)).toMatchObject({ type: 'command_output', output: 'a' });
});
