import {
  aCommandRecord,
  aProviderId,
  aSessionId,
  createManualClock,
  createMemoryLogger,
  createMemoryStore,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { startRecovery } from './recovery.ts';
import { anExecution, createHarness, FREE } from '../testing/coordinator-harness.ts';

test('thousands of waiting commands are recovered in order, before new ones, while the coordinator answers (F-B4)', async () => {
  const harness = createHarness(FREE);
  const first = await harness.start();
  harness.setProgram(() => new Promise(() => undefined));
  const commands = [];
  for (let n = 0; n < 450; n++)
    commands.push(
      harness.submit(
        first,
        'shell',
        { line: 'echo a > a.txt' },
        {
          provider: aProviderId(`p${n}`),
          sessionId: aSessionId(`s${n}`),
        },
      ),
    );
  await harness.settle();
  harness.kill();

  let lists = 0;
  harness.setFaults((port, method) => {
    if (port === 'store' && method === 'list') lists += 1;
    return undefined;
  });
  const second = await harness.start();
  expect(second.recovery.progress()).toMatchObject({ of: 450 });
  const late = harness.submit(second, 'shell', { line: 'echo b > a.txt' });
  const last = commands.at(-1);
  if (last === undefined) throw new Error('nothing was sent');
  // Not recovered yet, and can be cancelled all the same.
  expect(await second.cancel(last.commandId, { by: 'ana' })).toEqual({ kind: 'cancelled' });
  expect(second.recovery.progress()).toBeNull();
  expect(await second.recovery.over).toBe(450);
  expect(lists).toBeLessThan(5);
  await harness.settle();
  const { waiting } = await second.queue();
  expect(waiting.at(-1)?.commandId).toBe(late.commandId);
  expect(waiting).toHaveLength(448);
  expect((await second.queue(10)).waiting).toHaveLength(10);
});

test('a start reports its progress before the first record is read and during recovery, at most 21 times', async () => {
  const of = 9000;
  const heard: string[] = [];
  const recovery = await startRecovery({
    store: {
      countUnfinished: async () => [{ state: 'queued', provider: aProviderId(), commands: of }],
      async eachUnfinished(take) {
        for (let n = 0; n < of; n++) {
          if (n % 1500 === 0) heard.push(`reads ${n}`);
          await take(aCommandRecord());
        }
      },
    },
    events: { append: async () => [] },
    logger: createMemoryLogger(),
    takeUp: async () => undefined,
    complete: async () => undefined,
    onProgress: ({ done }) => void heard.push(`told ${done} of ${of}`),
  });
  await recovery.over;
  expect(heard.slice(0, 6)).toEqual([
    'told 0 of 9000',
    'reads 0',
    'told 600 of 9000',
    'told 1200 of 9000',
    'reads 1500',
    'told 1800 of 9000',
  ]);
  expect(heard.filter((one) => one.startsWith('told')).length).toBeLessThanOrEqual(21);
});

test('other work of the start gets a turn every ten commands (F-B4)', async () => {
  const of = 1000;
  let sinceTurn = 0;
  let peak = 0;
  const { events } = createMemoryStore(createManualClock());
  const recovery = await startRecovery({
    store: {
      countUnfinished: async () => [{ state: 'queued', provider: aProviderId(), commands: of }],
      async eachUnfinished(take) {
        for (let n = 0; n < of; n++) await take(aCommandRecord());
      },
    },
    events,
    logger: createMemoryLogger(),
    takeUp: async () => {
      sinceTurn += 1;
      peak = Math.max(peak, sinceTurn);
    },
    complete: async () => undefined,
  });
  const turn = (): void => {
    sinceTurn = 0;
    if (recovery.progress() !== null) setImmediate(turn);
  };
  setImmediate(turn);
  expect(await recovery.over).toBe(of);
  expect(peak).toBeLessThanOrEqual(20);
});

test('a coordinator that is stopped during recovery leaves the remaining commands for the next start', async () => {
  const harness = createHarness(FREE);
  const first = await harness.start();
  harness.setProgram(() => new Promise(() => undefined));
  for (let n = 0; n < 450; n++)
    harness.submit(
      first,
      'shell',
      { line: 'echo a > a.txt' },
      {
        provider: aProviderId(`p${n}`),
        sessionId: aSessionId(`s${n}`),
      },
    );
  await harness.settle();
  harness.kill();
  harness.setProgram(async () => anExecution());
  const second = await harness.start();
  await second.close();
  expect(await second.recovery.over).toBeLessThan(450);
  expect((await harness.store.unfinished()).length).toBeGreaterThan(0);
});

test('a store failure stops the recovery of many commands, and a warning is raised (F-W4)', async () => {
  const harness = createHarness(FREE);
  const first = await harness.start();
  harness.setProgram(() => new Promise(() => undefined));
  for (let n = 0; n < 250; n++)
    harness.submit(
      first,
      'shell',
      { line: 'echo a > a.txt' },
      { provider: aProviderId(`p${n}`), sessionId: aSessionId(`s${n}`) },
    );
  await harness.settle();
  harness.kill();
  harness.setFaults((port, method) =>
    port === 'store' && method === 'eachUnfinished' ? new Error('damaged') : undefined,
  );
  const second = await harness.start();
  await expect(second.recovery.over).rejects.toThrow('damaged');
  await harness.settle();
  const reported = await harness.events.since(null, 10_000);
  const warnings =
    reported.kind === 'events' ? reported.events.filter(({ type }) => type === 'warning_raised') : [];
  expect(warnings).toMatchObject([
    {
      code: 'recovery-not-complete',
      message: expect.stringContaining('0 of 250 earlier commands') as string,
    },
  ]);
});

test.for([3, 450])(
  'a record that cannot be read is skipped and reported, and the others of %i are recovered',
  async (of) => {
    const { events } = createMemoryStore(createManualClock());
    const logger = createMemoryLogger();
    const taken: string[] = [];
    let completed = 0;
    const recovery = await startRecovery({
      store: {
        countUnfinished: async () => [{ state: 'queued', provider: aProviderId(), commands: of }],
        async eachUnfinished(take, onUnreadable) {
          for (let n = 0; n < of; n++) {
            if (n % 3 === 1 && n < 20) onUnreadable(`cmd_${n}`, new Error('not JSON'));
            else await take(aCommandRecord());
          }
        },
      },
      events,
      logger,
      takeUp: async ({ id }) => void taken.push(id),
      complete: async (recovered) => void (completed = recovered),
    });
    const lost = of === 3 ? 1 : 7;
    expect([await recovery.over, completed, taken.length]).toEqual([of - lost, of - lost, of - lost]);
    const reported = await events.since(null, 10);
    expect(reported.kind === 'events' ? reported.events : []).toMatchObject([
      {
        type: 'warning_raised',
        code: 'record-unreadable',
        message: expect.stringMatching(
          of === 3 ? /not run \(1\): cmd_1$/ : /: cmd_1, .*, cmd_13 and 2 more$/,
        ) as string,
      },
    ]);
    expect(logger.lines.filter(({ level }) => level === 'error')).toHaveLength(lost);
  },
);

test('if several coordinators share the recovery, an unreadable record is reported too', async () => {
  const { store, events } = createMemoryStore(createManualClock());
  const recovery = await startRecovery({
    store,
    events,
    logger: createMemoryLogger(),
    takeUp: async () => undefined,
    async takeOver(onUnreadable) {
      onUnreadable('cmd_1', new Error('not JSON'));
      return 2;
    },
    complete: async () => undefined,
  });
  expect(await recovery.over).toBe(2);
  const reported = await events.since(null, 10);
  expect(reported.kind === 'events' ? reported.events : []).toMatchObject([
    { code: 'record-unreadable', message: expect.stringMatching(/not run \(1\): cmd_1$/) as string },
  ]);
});
