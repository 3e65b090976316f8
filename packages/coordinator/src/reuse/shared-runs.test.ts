import type { CommandId, Execution, SessionId, TreeStamp } from '@signalbox/core';
import { aCommandId, aProviderId, createManualClock } from '@signalbox/core/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anExecution } from '../testing/coordinator-harness.ts';
import { createSharedRuns, type SharedExecution } from './shared-runs.ts';

type Later = <Value>(task: () => Value) => Promise<Value>;

const AT_ONCE: Later = async (task) => task();

/** Files with a version, and a program that prints the version that it read at its start. */
function aWorld({ later = AT_ONCE, ttlMs = 0 }: { later?: Later; ttlMs?: number } = {}) {
  const clock = createManualClock();
  const runs = createSharedRuns({ clock, ttlMs });
  const world = { version: 0, ran: 0, ending: anExecution({ durationMs: 1000 }), fits: true };
  const stampOf = (version: number): TreeStamp => ({ digest: String(version), states: new Map() });

  function ask(
    session: string,
    options: { isFresh?: boolean; signal?: AbortSignal; id?: CommandId } = {},
  ): Promise<SharedExecution> {
    const { isFresh = false, signal = new AbortController().signal, id = aCommandId() } = options;
    return runs.run(
      {
        key: 'npm test',
        stampNow: () => later(() => stampOf(world.version)),
        async execute() {
          world.ran += 1;
          const read = world.version;
          await later(() => undefined);
          return { ...world.ending, stdout: { ...world.ending.stdout, text: String(read) } };
        },
        async keep(execution, before) {
          const digest = await later(() => String(world.version));
          if (!world.fits || digest !== before.digest) return null;
          const source = { commandId: id, provider: aProviderId('openai'), endedAt: 0, durationMs: 1000 };
          return { execution, digest, source };
        },
      },
      { session: session as SessionId, isFresh, signal },
    );
  }

  return { world, clock, runs, ask };
}

function versionOf({ execution }: SharedExecution): number {
  return Number(execution.stdout.text);
}

test('no answer is older than its request, in any order of edits, runs and comparisons (X-31)', async () => {
  const steps = fc.array(fc.oneof(fc.constant('edit' as const), fc.constantFrom('a', 'b', 'c', 'd')), {
    minLength: 2,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), steps, async (scheduler, all) => {
      const { world, ask } = aWorld({ later: (task) => scheduler.schedule(Promise.resolve()).then(task) });
      const answers = all.map(async (step) => {
        await scheduler.schedule(Promise.resolve());
        const from = world.version;
        if (step === 'edit') world.version += 1;
        if (step === 'edit') return;
        const answer = await ask(step);
        expect(versionOf(answer)).toBeGreaterThanOrEqual(from);
        expect(versionOf(answer)).toBeLessThanOrEqual(world.version);
      });
      await scheduler.waitFor(Promise.all(answers));
    }),
    { numRuns: 300 },
  );
});

test('equal runs at the same time are one run, whoever asks', async () => {
  const { world, ask } = aWorld();
  const answers = await Promise.all(['a', 'b', 'c'].map((session) => ask(session)));
  expect([world.ran, answers.filter(({ reusedFrom }) => reusedFrom !== undefined).length]).toEqual([1, 2]);
});

test('a session gets the same result once, and then its own run', async () => {
  const { world, ask } = aWorld();
  await ask('a');
  await ask('a');
  expect(world.ran).toBe(1);
  await ask('a');
  expect(world.ran).toBe(2);
});

test('a fresh run always runs, and its result is the next one’s', async () => {
  const { world, ask } = aWorld();
  await ask('a');
  const own = await ask('b', { isFresh: true });
  expect([own.reusedFrom, world.ran]).toEqual([undefined, 2]);
  expect((await ask('c')).reusedFrom).toBeDefined();
});

test('a reused end has changed nothing and used nothing', async () => {
  const { world, ask } = aWorld();
  world.ending = anExecution({ durationMs: 1000, rolledBack: true, reruns: 2, merged: ['a'] });
  await ask('a');
  const { execution } = await ask('b');
  expect(execution).toEqual({
    ...anExecution(),
    stdout: { ...execution.stdout, text: '0' },
    changes: [],
    durationMs: 0,
    usage: { cpuMs: 0, peakMemoryBytes: null },
  });
});

test('a result is forgotten after its time (S001-83)', async () => {
  const { world, clock, ask } = aWorld({ ttlMs: 300_000 });
  await ask('a');
  await clock.advance(0);
  await clock.advance(299_999);
  expect((await ask('b')).reusedFrom).toBeDefined();
  await clock.advance(1);
  expect((await ask('c')).reusedFrom).toBeUndefined();
  expect(world.ran).toBe(2);
});

test('cleared results are gone', async () => {
  const { world, clock, runs, ask } = aWorld();
  await ask('a');
  await clock.advance(0);
  expect(runs.count()).toBe(1);
  runs.clear();
  await ask('b');
  expect(world.ran).toBe(2);
});

test('nobody waits for a run whose last result could not be kept', async () => {
  const { world, ask } = aWorld();
  world.fits = false;
  await ask('a');
  const both = await Promise.all([ask('b'), ask('c')]);
  expect([world.ran, both.map(({ reusedFrom }) => reusedFrom)]).toEqual([3, [undefined, undefined]]);
});

test('who waits for a run that fails or is stopped runs it', async () => {
  const { world, ask } = aWorld();
  world.ending = anExecution({ ended: { kind: 'stopped' }, durationMs: 1000 });
  world.fits = false;
  const answers = await Promise.all([ask('a'), ask('b')]);
  expect([world.ran, answers.map(({ reusedFrom }) => reusedFrom)]).toEqual([2, [undefined, undefined]]);
});

test('who is stopped while it waits does not wait on', async () => {
  const gate = Promise.withResolvers<void>();
  const { world, ask } = aWorld();
  const { run } = createSharedRuns({ clock: createManualClock(), ttlMs: 0 });
  const stamp: TreeStamp = { digest: '0', states: new Map() };
  const execute = async (): Promise<Execution> => gate.promise.then(() => world.ending);
  const parts = { key: 'k', stampNow: async () => stamp, execute, keep: async () => null };
  const session = 'a' as SessionId;
  const first = run(parts, { session, isFresh: false, signal: new AbortController().signal });
  const stopper = new AbortController();
  const waits = run(
    { ...parts, execute: () => Promise.reject(new Error('stopped')) },
    { session: 'b' as SessionId, isFresh: false, signal: stopper.signal },
  );
  stopper.abort();
  await expect(waits).rejects.toThrow('stopped');
  gate.resolve();
  expect((await first).execution).toEqual(world.ending);
  expect(await ask('a')).toBeDefined();
});

test('a run that ends sooner than its files are compared is not shared', async () => {
  const { run } = createSharedRuns({ clock: createManualClock(), ttlMs: 0 });
  let stamps = 0;
  const states = new Map(Array.from({ length: 1000 }, (_, at) => [String(at), '']));
  const parts = {
    key: 'k',
    async stampNow() {
      stamps += 1;
      return { digest: '0', states };
    },
    execute: async () => anExecution({ durationMs: 5 }),
    keep: async () => null,
  };
  const caller = { session: 'a' as SessionId, isFresh: false, signal: new AbortController().signal };
  await run(parts, caller);
  await run(parts, caller);
  expect(stamps).toBe(1);
});
