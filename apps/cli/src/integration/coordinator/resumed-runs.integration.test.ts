import { join } from 'node:path';
import { createManualClock, createMemoryLogger, createSeededRandom } from '@signalbox/core/testing';
import { createEmbeddedBackend } from '@signalbox/embedded';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { environmentOf, type KilledWorld, killedWorld, linesOf } from '../../testing/killed-world.ts';
import { startStatelessModel } from '../../testing/stateless-model.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ALLOWED = { approval: { approval_mode: 'allow_all' } };
const KEY = { M_KEY: 'sk-of-ana-0123456789' };
const MARK = [{ tool: 'bash', args: { line: 'echo mark >> marks.txt' } }];

test('a terminal that follows a run starts the next coordinator, and brings the key that its session waits for', async () => {
  const world = killedWorld();
  const model = await startStatelessModel([MARK], {
    async before({ turn }) {
      if (turn !== 2 || model.requests.length > 2) return true;
      await world.kill();
      return false;
    },
  });
  await world.open({ m: { model, key: 'M_KEY' } }, ALLOWED);
  const terminal = createTestTerminal(world.directory, { entry: world.entry, env: KEY });
  const ended = await terminal.signalbox('run', 'Leave a mark', '-p', 'm', '--until', 'true');
  expect(ended).toMatchObject({ exit: 0, talk: expect.stringContaining('continued after a restart') });
  expect(model.requests.map(({ turn }) => turn)).toEqual([1, 2, 2]);
  expect(linesOf(world, 'marks.txt')).toEqual(['mark']);
}, 120_000);

test('attach starts a coordinator if the last one has died, and brings keys too', async () => {
  const world = killedWorld();
  const died = Promise.withResolvers<void>();
  const model = await startStatelessModel([MARK], {
    async before({ turn }) {
      if (turn !== 2 || model.requests.length > 2) return true;
      await world.kill();
      died.resolve();
      return false;
    },
  });
  await world.open({ m: { model, key: 'M_KEY' } }, ALLOWED);
  await world.start({ tasks: { m: 'Leave a mark' }, until: null, keys: KEY });
  await died.promise;
  const terminal = createTestTerminal(world.directory, { entry: world.entry, env: KEY });
  expect(await terminal.signalbox('attach')).toMatchObject({ exit: 0 });
  expect(linesOf(world, 'marks.txt')).toEqual(['mark']);
  const idle = killedWorld();
  const nothing = createTestTerminal(idle.directory, { entry: idle.entry });
  expect(await nothing.signalbox('attach')).toMatchObject({ exit: 6 });
}, 120_000);

test('on Redis another coordinator goes on with the run at once', async () => {
  const world = killedWorld(await environmentOf('Redis'));
  const model = await startStatelessModel([MARK], {
    async before({ turn }) {
      if (turn !== 2 || model.requests.length > 2) return true;
      await world.kill();
      return false;
    },
  });
  await world.open({ m: { model } }, ALLOWED);
  const other = await world.beside();
  const run = await world.start({ tasks: { m: 'Leave a mark' }, until: null });
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(3);
  const state = async () => (await other.getRun({ id: run.id })).state;
  await expect.poll(state, { timeout: 60_000 }).toBe('ended');
  expect(linesOf(world, 'marks.txt')).toEqual(['mark']);
}, 120_000);

test('a run whose record is removed from Redis ends, and people are told why', async () => {
  const env = await environmentOf('Redis');
  const world = killedWorld(env);
  const answer = Promise.withResolvers<boolean>();
  const model = await startStatelessModel([MARK], { before: () => answer.promise });
  await world.open({ m: { model } }, ALLOWED);
  const run = await world.start({ tasks: { m: 'Leave a mark' }, until: null });
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(1);
  const redis = redisOf(env);
  expect(await redis('del', await redis('keys', `*runs:${run.id}`))).toBe('1');
  answer.resolve(true);
  expect(await world.ended(run)).toMatchObject({ stoppedBy: 'Signalbox' });
  const { sessions } = await world.client().listSessions();
  expect(sessions).toMatchObject([
    { finish: 'failed', message: expect.stringContaining('has been removed') },
  ]);
  expect(await warningsOf(world, env)).toEqual([
    `Cannot continue run ${run.id}: what was stored of it has been removed`,
  ]);
  expect(linesOf(world, 'marks.txt')).toEqual([]);
}, 120_000);

test('damaged rows of other runs keep no coordinator from its start, nor a good run from going on', async () => {
  const env = await environmentOf('Redis');
  const world = killedWorld(env);
  const redis = redisOf(env);
  const held = await startStatelessModel([], { before: () => new Promise(() => undefined) });
  await world.open({ m: { model: held } }, ALLOWED);
  const good = await world.start({ tasks: { m: 'Work' }, until: null });
  const foreign = await world.start({ tasks: { m: 'Work' }, until: null });
  await expect.poll(() => held.requests.length, { timeout: 60_000 }).toBe(2);
  await world.kill();
  const key = await redis('keys', `*runs:${foreign.id}`);
  const index = key.slice(0, -`:${foreign.id}`.length);
  await redis('hset', key, 'owner', 'nobody\u001b[31m');
  for (const id of ['no run', 'run_']) {
    await redis('zadd', index, '0', id);
    await redis('hset', `${index}:${id}`, 'owner', 'x', 'part:run', '{');
  }
  await world.restart();
  await expect.poll(() => held.requests.length, { timeout: 60_000 }).toBe(4);
  for (const { id } of [good, foreign])
    expect(await world.client().getRun({ id })).toMatchObject({ state: 'running' });
  expect(await warningsOf(world, env)).toEqual(
    ['no run', 'run_'].map((id) => `Cannot continue run ${id}: what is stored of it cannot be read`),
  );
}, 120_000);

type Environment = Awaited<ReturnType<typeof environmentOf>>;

/** What `redis-cli` prints. */
function redisOf(env: Environment): (...argv: readonly string[]) => Promise<string> {
  return async (...argv) =>
    (await execa('redis-cli', ['-s', env['SIGNALBOX_REDIS_URL'] ?? '', ...argv])).stdout;
}

async function warningsOf({ directory, entry }: KilledWorld, env: Environment): Promise<readonly string[]> {
  const records = await entry.openRecords({ workspace: directory, env });
  onTestFinished(async () => records?.close());
  const found = await records?.events.since(null);
  if (found?.kind !== 'events') throw new Error('its events are not stored');
  return found.events.flatMap((event) => (event.type === 'warning_raised' ? [event.message] : []));
}

test('what is stored and can’t be read is told, and ends: a session as failed, a run with a warning', async () => {
  const world = killedWorld();
  const held = await startStatelessModel([], { before: () => new Promise(() => undefined) });
  await world.open({ m: { model: held }, n: { model: held } }, ALLOWED);
  const half = await world.start({ tasks: { m: 'Work', n: 'Work' }, until: null });
  const whole = await world.start({ tasks: { m: 'Work' }, until: null });
  await expect.poll(() => held.requests.length, { timeout: 60_000 }).toBe(3);
  await world.kill();
  const state = await createEmbeddedBackend({
    folder: join(world.directory, '.signalbox'),
    clock: createManualClock(),
    random: createSeededRandom(),
    limits: { maxConcurrent: 1, maxQueuePerProvider: 1, maxWaitMs: 1, leaseTtlMs: 1 },
    logger: createMemoryLogger(),
  });
  const { runStore } = state;
  const of = { owner: null, kind: 'changed' } as const;
  const [first = ''] = half.sessions;
  await runStore.commit({ ...of, id: half.id, parts: { [first]: { at: 'dreaming' } } }, []);
  await runStore.commit({ ...of, id: whole.id, parts: { run: 'half a record' } }, []);
  await state.close();
  await world.restart();
  expect(await world.ended(whole)).toMatchObject({ stoppedBy: 'Signalbox' });
  const failed = async () => {
    const { sessions } = await world.client().listSessions();
    return sessions.find(({ id }) => id === half.sessions[0]);
  };
  await expect.poll(failed, { timeout: 60_000 }).toMatchObject({
    finish: 'failed',
    message: 'What is stored of it cannot be read',
  });
  // The other session of that run was not affected: it is asked again.
  await expect.poll(() => held.requests.length, { timeout: 60_000 }).toBe(4);
}, 120_000);
