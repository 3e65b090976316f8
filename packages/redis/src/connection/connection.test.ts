import { UnavailableError, UsageError } from '@signalbox/core';
import { createManualClock, createMemoryLogger } from '@signalbox/core/testing';
import { Redis } from 'ioredis';
import { expect, onTestFinished, test } from 'vitest';
import { createFacts } from '../store/facts.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { freePort, startRedisServer } from '../testing/redis-server.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import { openConnection } from './connection.ts';
import { checkServer } from './server-check.ts';

async function startServer(settings?: readonly string[]) {
  const server = await startRedisServer(settings);
  onTestFinished(() => server.close());
  return server;
}

/** A free port on this machine: a unix socket's address can't contain a password. */
async function portOf(socket: string, password: string): Promise<number> {
  const port = await freePort();
  const admin = new Redis(socket, { password });
  await admin.config('SET', 'port', port);
  admin.disconnect();
  return port;
}

async function connect(url: string) {
  const logger = createMemoryLogger();
  const connection = await openConnection({ url, workspace: 'shop', clock: createRealClock(), logger });
  onTestFinished(() => connection.close());
  return { connection, logger };
}

test('a server that is unreachable at the start causes an error that says where, why and what to do', async () => {
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

test('a workspace name that would break the keys is rejected', async () => {
  const logger = createMemoryLogger();
  const opened = openConnection({ url: '/nowhere', workspace: 'a}b', clock: createRealClock(), logger });
  await expect(opened).rejects.toThrow(UsageError);
});

test('a server without an append-only file is rejected unless data loss is accepted', async () => {
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

test('a server that evicts keys when its memory is full is rejected', async () => {
  const settings = ['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'];
  const { connection } = await connect((await startServer(settings)).url);
  await expect(checkServer(connection, { volatile: true })).rejects.toMatchObject({ code: 'redis-evicts' });
});

test('a replica is rejected', async () => {
  const { connection } = await connect((await startServer(['--replicaof', '127.0.0.1 1'])).url);
  await expect(checkServer(connection, { volatile: true })).rejects.toMatchObject({ code: 'redis-refused' });
});

test('full memory rejects writes and leaves nothing half-done', async () => {
  const { connection } = await connect((await startServer()).url);
  const facts = createFacts(connection);
  await facts.set('before', 1);
  await connection.ask((redis) => redis.config('SET', 'maxmemory', '1'));
  await expect(facts.compareAndSet('after', { expected: undefined, value: 1 })).rejects.toMatchObject({
    code: 'redis-refused',
    message: expect.stringContaining('its memory is full') as string,
  });
  expect(await facts.get('before')).toBe(1);
  expect(await facts.get('after')).toBeUndefined();
});

test('while Redis is unreachable every command fails at once, and afterwards everything works again (U-11)', async () => {
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

test('a closed connection is reported in our own words, to presence listeners too', async () => {
  const server = await startServer();
  const { connection } = await connect(server.url);
  // The connection ends while the command waits for its reply.
  const waits = connection.ask((redis) => redis.blpop('{shop}:never', 0)).catch((error: unknown) => error);
  await server.kill();
  expect(await waits).toMatchObject({
    code: 'redis-gone',
    why: ['the connection ended before it answered'],
  });
  const listens = connection.subscriptions.add({
    channel: '{shop}:told',
    receive: () => undefined,
    begin: () => undefined,
  });
  await expect(listens).rejects.toMatchObject({
    code: 'redis-gone',
    why: [expect.stringMatching(/^(there is no connection|the connection ended)/)],
  });
});

test('after a password change every failed command says so, until the old password is restored', async () => {
  const server = await startServer(['--requirepass', 'one']);
  const { connection } = await connect(`redis://:one@127.0.0.1:${await portOf(server.url, 'one')}`);
  const admin = new Redis(server.url, { password: 'one' });
  onTestFinished(() => admin.disconnect());
  const answer = (): Promise<unknown> =>
    connection.ask((redis) => redis.ping()).catch((error: unknown) => error);
  await admin.config('SET', 'requirepass', 'two');
  await admin.call('CLIENT', 'KILL', 'SKIPME', 'yes');
  await expect.poll(answer).toMatchObject({
    code: 'redis-refused',
    message: expect.stringContaining('user or password is wrong') as string,
  });
  expect(connection.presence.away()).not.toBeNull();
  await admin.config('SET', 'requirepass', 'one');
  await expect.poll(answer).toBe('PONG');
  expect(connection.presence.away()).toBeNull();
});

test('a command that a frozen Redis does not answer fails after 5 s by default', async () => {
  const server = await startServer();
  const { connection } = await connect(server.url);
  const waitedMs = await connection.ask(async ({ options }) =>
    'commandTimeout' in options ? options.commandTimeout : undefined,
  );
  expect(waitedMs).toBe(5000);
  const short = await openConnection({
    url: server.url,
    workspace: 'shop',
    clock: createRealClock(),
    logger: createMemoryLogger(),
    commandTimeoutMs: 200,
  });
  onTestFinished(() => short.close());
  server.freeze();
  await expect(createFacts(short).set('mode', 'NORMAL')).rejects.toMatchObject({
    code: 'redis-gone',
    why: ['it accepts commands but does not answer'],
  });
});

test('a link that forwards nothing is replaced by a new one', async () => {
  const server = await startServer();
  const proxy = await startTcpProxy(server.url);
  onTestFinished(() => proxy.close());
  const connection = await openConnection({
    url: `redis://127.0.0.1:${proxy.port}`,
    workspace: 'shop',
    clock: createRealClock(),
    logger: createMemoryLogger(),
    commandTimeoutMs: 300,
  });
  onTestFinished(() => connection.close());
  const facts = createFacts(connection);
  await facts.set('mode', 'NORMAL');
  proxy.forget();
  await expect(facts.get('mode')).rejects.toMatchObject({ code: 'redis-gone' });
  await expect.poll(() => facts.get('mode').catch(() => 'away'), { timeout: 20_000 }).toBe('NORMAL');
});

test('messages received while Redis answers nothing are processed when it answers again', async () => {
  const server = await startServer();
  const connection = await openConnection({
    url: server.url,
    workspace: 'shop',
    clock: createRealClock(),
    logger: createMemoryLogger(),
    commandTimeoutMs: 500,
  });
  onTestFinished(() => connection.close());
  const other = new Redis(server.url);
  onTestFinished(() => other.disconnect());
  const looks: (number | 'away')[] = [];
  const look = (): void => {
    connection
      .ask((redis) => redis.incr('{shop}:looks'))
      .then(
        (count) => looks.push(count),
        () => looks.push('away'),
      );
  };
  await connection.subscriptions.add({ channel: '{shop}:told', receive: look, begin: look });
  /** Polls with a command, as some part always does sooner or later. */
  const newest = async (): Promise<number | 'away' | undefined> => {
    await connection.ask((redis) => redis.ping()).catch(() => undefined);
    return looks.at(-1);
  };
  await expect.poll(newest, { timeout: 20_000 }).toBeTypeOf('number');
  // Publishes the message; from then on no write is answered.
  await other.multi().publish('{shop}:told', '').client('PAUSE', 60_000, 'WRITE').exec();
  await expect.poll(() => looks.at(-1), { timeout: 20_000 }).toBe('away');
  await other.client('UNPAUSE');
  await expect.poll(newest, { timeout: 20_000 }).toBeTypeOf('number');
});

test('a script that Redis has forgotten is sent again', async () => {
  const { connection } = await connect((await startServer()).url);
  const facts = createFacts(connection);
  await facts.compareAndSet('a', { expected: undefined, value: 1 });
  await connection.ask((redis) => redis.script('FLUSH'));
  expect(await facts.compareAndSet('a', { expected: 1, value: 2 })).toBe(true);
});

test('a subscriber connection that died silently is noticed, replaced and reported', async () => {
  const server = await startServer();
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const options = { url: server.url, workspace: 'shop', clock, logger, commandTimeoutMs: 200 };
  const connection = await openConnection(options);
  onTestFinished(() => connection.close());
  const heard: string[] = [];
  await connection.subscriptions.add({
    channel: 'news',
    receive: (message) => heard.push(message),
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
