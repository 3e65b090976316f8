import { UnavailableError, UsageError } from '@signalbox/core';
import { createManualClock, createMemoryLogger } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from './connection.ts';
import { createFacts } from './facts.ts';
import { checkServer } from './server-check.ts';
import { createRealClock } from './testing/real-clock.ts';
import { startRedisServer } from './testing/redis-server.ts';

async function startServer(settings?: readonly string[]) {
  const server = await startRedisServer(settings);
  onTestFinished(() => server.close());
  return server;
}

async function connect(url: string) {
  const logger = createMemoryLogger();
  const connection = await openConnection({ url, workspace: 'shop', clock: createRealClock(), logger });
  onTestFinished(() => connection.close());
  return { connection, logger };
}

test('a server that is not there at the start is an error that says where, why and what next', async () => {
  const error: unknown = await connect('redis://user:secret@127.0.0.1:1').catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({
    code: 'redis-gone',
    message: 'Cannot reach Redis at "redis://127.0.0.1:1"',
    why: [expect.stringContaining('ECONNREFUSED')],
    next: [expect.stringContaining('ping'), expect.any(String)],
  });
  expect(JSON.stringify(error)).not.toContain('secret');
});

test('a workspace whose name would break the keys is refused', async () => {
  const logger = createMemoryLogger();
  const opened = openConnection({ url: '/nowhere', workspace: 'a}b', clock: createRealClock(), logger });
  await expect(opened).rejects.toThrow(UsageError);
});

test('a server without an append-only file is refused unless its loss is accepted', async () => {
  const { connection } = await connect((await startServer()).url);
  await expect(checkServer(connection, { volatile: false })).rejects.toMatchObject({
    code: 'redis-volatile',
  });
  await checkServer(connection, { volatile: true });
});

test('a server with an append-only file is accepted', async () => {
  const { connection } = await connect((await startServer(['--appendonly', 'yes'])).url);
  await expect(checkServer(connection, { volatile: false })).resolves.toBeUndefined();
});

test('a server that drops keys when its memory is full is refused', async () => {
  const settings = ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'];
  const { connection } = await connect((await startServer(settings)).url);
  await expect(checkServer(connection, { volatile: true })).rejects.toMatchObject({ code: 'redis-evicts' });
});

test('a replica is refused', async () => {
  const { connection } = await connect((await startServer(['--replicaof', '127.0.0.1 1'])).url);
  await expect(checkServer(connection, { volatile: true })).rejects.toMatchObject({ code: 'redis-refused' });
});

test('full memory refuses what would be written and leaves nothing half-done', async () => {
  const { connection } = await connect((await startServer()).url);
  const facts = createFacts(connection);
  await facts.set('before', 1);
  await connection.ask((redis) => redis.config('SET', 'maxmemory', '1'));
  await expect(facts.compareAndSet('after', undefined, 1)).rejects.toMatchObject({
    code: 'redis-refused',
    message: expect.stringContaining('its memory is full') as string,
  });
  expect(await facts.get('before')).toBe(1);
  expect(await facts.get('after')).toBeUndefined();
});

test('while Redis is away every command is refused at once, and afterwards all goes on by itself', async () => {
  const server = await startServer(['--appendonly', 'yes', '--appendfsync', 'always']);
  const { connection, logger } = await connect(server.url);
  const facts = createFacts(connection);
  await facts.set('mode', 'NORMAL');
  await server.kill();
  await expect.poll(() => connection.presence.away(), { timeout: 10_000 }).not.toBeNull();
  await expect(facts.get('mode')).rejects.toMatchObject({
    code: 'redis-gone',
    why: ['there is no connection to it now'],
  });
  await server.restart();
  await expect.poll(() => facts.get('mode').catch(() => 'away'), { timeout: 10_000 }).toBe('NORMAL');
  const messages = logger.lines.map(({ message }) => message);
  expect(messages.filter((message) => message === 'connection to Redis lost')).toHaveLength(2);
});

test('a script that Redis has forgotten is sent again', async () => {
  const { connection } = await connect((await startServer()).url);
  const facts = createFacts(connection);
  await facts.compareAndSet('a', undefined, 1);
  await connection.ask((redis) => redis.script('FLUSH'));
  expect(await facts.compareAndSet('a', 1, 2)).toBe(true);
});

test('a listening connection that died in silence is noticed, made again, and told so', async () => {
  const server = await startServer();
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const options = { url: server.url, workspace: 'shop', clock, logger, commandTimeoutMs: 200 };
  const connection = await openConnection(options);
  onTestFinished(() => connection.close());
  const heard: string[] = [];
  await connection.subscriptions.add({
    channel: 'news',
    hear: (message) => heard.push(message),
    begin: () => heard.push('begin'),
  });
  const lost = (): boolean =>
    logger.lines.some(
      ({ message, facts }) => message === 'connection to Redis lost' && facts['use'] === 'events',
    );

  await clock.advance(5000);
  await connection.ask((redis) => redis.publish('news', 'one'));
  await expect.poll(() => heard).toEqual(['begin', 'one']);
  expect(lost()).toBe(false);
  server.freeze();
  await clock.advance(5000);
  await expect.poll(lost, { timeout: 10_000 }).toBe(true);
  server.thaw();
  await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['begin', 'one', 'begin']);
});
