import { createId, InvariantError, UnavailableError } from '@signalbox/core';
import { Redis } from 'ioredis';
import { createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createRedisBackend } from '../backend.ts';
import { createRealClock } from '../testing/real-clock.ts';
import { startRedisServer } from '../testing/redis-server.ts';
import { toSignalboxError } from './redis-failure.ts';

const MEMBER = createId('worker', createSeededRandom(1));

test.each([
  {
    what: 'lacks a required command',
    settings: ['--rename-command', 'PUBLISH', ''],
    message: 'it lacks a required command (rename-command)',
    next: 'Allow the commands that docs/redis.md lists',
  },
  {
    what: 'requires a password',
    settings: ['--requirepass', 'secret'],
    message: 'it requires a password',
    next: 'Give user and password in its address: redis://USER:PASSWORD@HOST:6379',
  },
])('a server that $what refuses with its reason and what helps', async ({ settings, message, next }) => {
  const error = await refusalOf(settings);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({
    code: 'redis-refused',
    message: expect.stringContaining(message) as string,
    next: [next],
  });
});

test('a user who lacks a permission gets an error naming it, not a bug report', async () => {
  const error = await refusalOf([], ['ACL', 'SETUSER', 'default', '-publish']);
  expect(error).not.toBeInstanceOf(InvariantError);
  expect(error).toMatchObject({
    code: 'redis-refused',
    message: expect.stringContaining('this user lacks the permission') as string,
    next: ['Allow the commands that docs/redis.md lists'],
  });
});

test('a server at its connection limit is not reported as our bug', () => {
  expect(toSignalboxError(new Error('ERR max number of clients reached'), '"here"')).toMatchObject({
    code: 'redis-refused',
    message: 'Redis at "here" rejected the request: it has reached its limit of connections (maxclients)',
    next: ['Raise its limit: redis-cli CONFIG SET maxclients …'],
  });
});

/** The error a start at such a server ends with. */
async function refusalOf(
  settings: readonly string[],
  first?: readonly [string, ...string[]],
): Promise<unknown> {
  const server = await startRedisServer(settings);
  onTestFinished(() => server.close());
  if (first !== undefined) {
    const admin = new Redis(server.url);
    await admin.call(...first);
    admin.disconnect();
  }
  const opened = createRedisBackend({
    url: server.url,
    workspace: 'shop',
    clock: createRealClock(),
    random: (length) => new Uint8Array(length),
    limits: { maxConcurrent: 1, maxQueuePerProvider: 1, maxWaitMs: 60_000, leaseTtlMs: 60_000 },
    logger: createMemoryLogger(),
    volatile: true,
    member: {
      id: MEMBER,
      kind: 'worker',
      host: 'here',
      pid: 1,
      identity: {},
      version: '0',
      labels: [],
      concurrency: 1,
    },
  });
  return opened.then(
    ({ close }) => close(),
    (error: unknown) => error,
  );
}
