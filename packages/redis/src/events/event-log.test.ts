import type { Event } from '@signalbox/core';
import { anOutputEvent, createMemoryLogger } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from '../connection/connection.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { startRedisServer } from '../testing/redis-server.ts';
import { createEventLog } from './event-log.ts';

async function openLogs(names: readonly string[], keep?: number) {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const logs = names.map(async () => {
    const logger = createMemoryLogger();
    const connection = await openConnection({
      url: server.url,
      workspace: 'shop',
      clock: createRealClock(),
      logger,
    });
    onTestFinished(() => connection.close());
    const log = createEventLog({ connection, logger, ...(keep === undefined ? {} : { keep }) });
    await log.open();
    const heard: string[] = [];
    log.subscribe((event) => heard.push(textOf(event)));
    return { log, heard, connection, lines: logger.lines };
  });
  return Promise.all(logs);
}

function textOf(event: Event): string {
  return event.type === 'command_output' ? event.output : event.type;
}

test('every process receives what any of them stores, in the same order (S003-44, U-10)', async () => {
  const logs = await openLogs(['a', 'b', 'c']);
  const rounds = Array.from({ length: 20 }, (_, round) =>
    logs.map(({ log }, n) => log.append([anOutputEvent(`${round}/${n}`)])),
  );
  await Promise.all(rounds.flat());
  await Promise.all(logs.map(({ log }) => log.caughtUp()));
  const [first, ...others] = logs.map(({ heard }) => heard);
  expect(new Set(first).size).toBe(60);
  for (const heard of others) expect(heard).toEqual(first);
});

test('a subscriber whose connection was cut receives what it missed, in order and once', async () => {
  const [speaker, listener] = await openLogs(['speaker', 'listener']);
  if (speaker === undefined || listener === undefined) throw new Error('no logs');
  const said: string[] = [];
  for (let n = 0; n < 40; n++) {
    if (n % 10 === 5) await speaker.connection.ask((redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub'));
    said.push(`${n}`);
    await speaker.log.append([anOutputEvent(`${n}`)]);
  }
  await listener.log.caughtUp();
  expect(listener.heard).toEqual(said);
  await speaker.log.append([anOutputEvent('after')]);
  await listener.log.caughtUp();
  expect(listener.heard).toEqual([...said, 'after']);
});

test.for(['first', 'later'] as const)(
  'messages that arrive with the confirmation of a %s subscription are delivered after those missed before it',
  async (which) => {
    const [speaker] = await openLogs(['speaker']);
    if (speaker === undefined) throw new Error('no log');
    const { connection, log } = speaker;
    const held: string[] = [];
    /** Stores one event that is missed, then one whose message arrives before the subscription is confirmed. */
    async function publishSome(receive: (message: string) => void, count: number): Promise<void> {
      for (const word of ['missed', 'heard']) await log.append([anOutputEvent(`${which} ${word}`)]);
      await expect.poll(() => held.length).toBe(count);
      receive(held.at(-1) ?? '');
    }
    let own: Parameters<typeof connection.subscriptions.add>[0] | undefined;
    const add: typeof connection.subscriptions.add = async (subscription) => {
      own = subscription;
      const channel = subscription.channel;
      const remove = await connection.subscriptions.add({
        channel,
        receive: (said) => held.push(said),
        begin: () => undefined,
      });
      if (which === 'first') await publishSome(subscription.receive, 2);
      subscription.begin();
      return remove;
    };
    const heard: string[] = [];
    const listener = createEventLog({
      connection: { ...connection, subscriptions: { ...connection.subscriptions, add } },
      logger: createMemoryLogger(),
    });
    listener.subscribe((event) => heard.push(textOf(event)));
    await listener.open();
    if (which === 'later') {
      own?.lost?.();
      await publishSome((message) => own?.receive(message), 2);
      own?.begin();
    }
    await listener.caughtUp();
    expect(heard).toEqual([`${which} missed`, `${which} heard`]);
  },
);

test('an unreadable event does not stop the delivery of later ones', async () => {
  const [speaker, listener] = await openLogs(['speaker', 'listener']);
  if (speaker === undefined || listener === undefined) throw new Error('no logs');
  const { connection } = speaker;
  await connection.ask((redis) => redis.xadd(`${connection.prefix}events`, '*', 'event', '{"type":"?"}'));
  await connection.ask((redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub'));
  await speaker.log.append([anOutputEvent('after')]);
  await expect.poll(() => listener.heard).toEqual(['after']);
  expect(await listener.log.since(null, 1)).toMatchObject({ kind: 'events', events: [{ output: 'after' }] });
  await connection.ask((redis) => redis.xadd(`${connection.prefix}events`, '*', 'event', '?'));
  await connection.ask((redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub'));
  await listener.log.caughtUp();
});

test('a subscriber that was away until its position was dropped continues with the oldest kept event, and a gap is reported', async () => {
  const [speaker, listener] = await openLogs(['speaker', 'listener'], 100);
  if (speaker === undefined || listener === undefined) throw new Error('no logs');
  await speaker.log.append([anOutputEvent('first')]);
  await listener.log.caughtUp();
  await speaker.connection.ask((redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub'));
  await speaker.log.append(Array.from({ length: 300 }, (_, n) => anOutputEvent(`${n}`)));
  await listener.log.caughtUp();
  expect(listener.heard).toEqual(['first', ...Array.from({ length: 100 }, (_, n) => `${n + 200}`)]);
  expect(listener.lines.map(({ message }) => message)).toContain(
    'events were dropped before this process could receive them',
  );
});

test('command output does not fill the memory: the oldest events are dropped, and late subscribers get a gap', async () => {
  const [one] = await openLogs(['a'], 100);
  if (one === undefined) throw new Error('no log');
  const { log, connection } = one;
  const long = 'x'.repeat(10 * 1024);
  const [first] = await log.append([anOutputEvent(long)]);
  for (let n = 0; n < 20; n++) await log.append([anOutputEvent(long)]);
  const kept = await connection.ask((redis) => redis.xlen(`${connection.prefix}events`));
  expect(kept).toBe(9);
  expect(await log.since(first?.id ?? null)).toEqual({ kind: 'reset' });
  const bytes = await connection.ask((redis) => redis.get(`${connection.prefix}events:bytes`));
  expect(Number(bytes)).toBeLessThanOrEqual(100 * 1024);
  expect(Number(bytes)).toBeGreaterThan(kept * long.length);
});
