import { type CommandId, type NodeId, NodeId as MemberIdSchema, type SessionId } from '@signalbox/core';
import { aSessionId, createMemoryNodes } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { readSessionRules } from '../approval/session-rules.ts';
import type { Coordinator } from '../coordinator-api.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import {
  ANA,
  anExecution,
  createHarness,
  FREE,
  type CoordinatorHarness,
} from '../testing/coordinator-harness.ts';
import type { SharedWorkspace } from './shared-workspace.ts';

const A = MemberIdSchema.parse('cor_aaaaaaaaaaaa');
const B = MemberIdSchema.parse('cor_bbbbbbbbbbbb');

/** Two coordinators of one workspace, on the same small parts; each has its own queue. */
function createTwo(settings: Readonly<Record<string, unknown>> = {}) {
  const harness = createHarness(settings);
  const members = createMemoryNodes();
  const shared = (id: NodeId, more: Partial<SharedWorkspace> = {}): SharedWorkspace => ({
    members: members.join(id),
    hasEnded: async () => false,
    isOver: async () => false,
    auditFileOf: () => harness.auditFile,
    takeBackFiles: async () => undefined,
    ...more,
  });
  async function start(
    id: NodeId,
    more: Partial<SharedWorkspace> = {},
    options: Partial<CoordinatorOptions> = {},
  ): Promise<Coordinator> {
    return harness.start({ shared: shared(id, more), ...options });
  }
  return { harness, members, start };
}

async function hashOf(harness: CoordinatorHarness, id: CommandId) {
  const { approval } = await harness.record(id);
  if (approval === null) throw new Error('not asked');
  return approval.callHash;
}

/** Lets both settle: requests are polled ten times a second if the store can't report them. */
const settle = (harness: CoordinatorHarness): Promise<void> => harness.clock.advance(1000);

test('a command names the coordinator that accepted it, and a result is given for its own command only', async () => {
  const { harness, start } = createTwo(FREE);
  const a = await start(A);
  const submitted = harness.submit(a, 'shell', { line: 'true' });
  await harness.settle();
  expect(await harness.record(submitted.commandId)).toMatchObject({ owner: A, state: 'done' });
});

test('an answer given at another coordinator reaches the one that leads the command', async () => {
  const { harness, start } = createTwo();
  const a = await start(A);
  const b = await start(B);
  const asked = harness.submit(a, 'shell', { line: 'touch x' });
  const refused = harness.submit(a, 'shell', { line: 'touch y' });
  await harness.settle();
  const answers = Promise.all([
    b.approvals.answer(
      asked.commandId,
      { kind: 'approve' },
      { by: ANA, expect: await hashOf(harness, asked.commandId) },
    ),
    b.approvals.answer(
      refused.commandId,
      { kind: 'deny', reason: 'no' },
      { by: ANA, expect: await hashOf(harness, refused.commandId) },
    ),
  ]);
  await settle(harness);
  expect((await answers).map(({ kind }) => kind)).toEqual(['granted', 'refused']);
  expect((await asked.result).outcome.kind).toBe('completed');
  expect((await refused.result).outcome.kind).toBe('denied');
});

test('a cancel at another coordinator stops the command where it runs', async () => {
  const { harness, start } = createTwo();
  const a = await start(A);
  const b = await start(B);
  const asked = harness.submit(a, 'shell', { line: 'touch x' });
  await harness.settle();
  const answer = b.cancel(asked.commandId, { by: 'ana', reason: 'not now' });
  await settle(harness);
  expect(await answer).toEqual({ kind: 'cancelled' });
  expect((await asked.result).outcome.kind).toBe('cancelled');
});

test('a session is stopped by the coordinator that leads it, and requests are not forwarded in a circle', async () => {
  const { harness, start } = createTwo();
  const stopped: string[] = [];
  const a = await start(A);
  const stopSession = async (id: SessionId): Promise<boolean> => {
    stopped.push(id);
    return id === aSessionId('known');
  };
  await start(B, {}, { ownSessions: { stop: stopSession, compress: stopSession, say: stopSession } });
  const known = a.stopSession(aSessionId('known'), 'ana');
  await settle(harness);
  expect(await known).toBe(true);
  const unknown = a.stopSession(aSessionId('nobody'), 'ana');
  await settle(harness);
  expect(await unknown).toBe(false);
  expect(stopped).toEqual([aSessionId('known'), aSessionId('nobody')]);
});

test('commands of a dead coordinator continue under a living one: an approval stays pending, a waiting one continues', async () => {
  const { harness, members, start } = createTwo();
  const a = await start(A);
  const asked = harness.submit(a, 'shell', { line: 'touch x' });
  await harness.settle();
  harness.kill();
  const b = await start(B);
  expect(await harness.record(asked.commandId)).toMatchObject({ owner: A, state: 'awaiting_approval' });
  members.die(A);
  await settle(harness);
  expect(await harness.record(asked.commandId)).toMatchObject({ owner: B, state: 'awaiting_approval' });
  const answer = await b.approvals.answer(
    asked.commandId,
    { kind: 'approve' },
    { by: ANA, expect: await hashOf(harness, asked.commandId) },
  );
  expect(answer.kind).toBe('granted');
  await settle(harness);
  expect((await harness.record(asked.commandId)).result?.outcome.kind).toBe('completed');
});

test.for(['scheduler cancel', 'store list', 'scheduler snapshot'] as const)(
  'the takeover of a dead coordinator’s commands completes after an outage of the backend at %s',
  async (at) => {
    const { harness, members, start } = createTwo(FREE);
    const a = await start(A);
    harness.setProgram(() => new Promise(() => undefined));
    const first = harness.submit(a, 'shell', { line: 'echo a > a.txt' });
    const waiting = harness.submit(a, 'shell', { line: 'echo b > a.txt' });
    await harness.settle();
    expect(await harness.record(waiting.commandId)).toMatchObject({ owner: A, state: 'queued' });
    harness.kill();
    const b = await start(B);
    harness.setProgram(async () => anExecution());
    let isAway = false;
    harness.setFaults((port, method) => {
      if (`${port} ${method}` !== at || isAway) return undefined;
      isAway = true;
      // Another coordinator has settled the dead one, except for this command, which is ours by now.
      void members.join(B).settled(A);
      return new Error('it is away');
    });
    members.die(A);
    await settle(harness);
    await settle(harness);
    expect(isAway).toBe(true);
    expect(await harness.record(waiting.commandId)).toMatchObject({ owner: B, state: 'done' });
    expect((await harness.record(first.commandId)).result?.outcome.kind).toBe('lost');
    await b.close();
  },
);

test('a command that ran when its coordinator died is lost once its lease is gone, and never run again', async () => {
  const { harness, members, start } = createTwo(FREE);
  const a = await start(A);
  harness.setProgram(() => new Promise(() => undefined));
  const running = harness.submit(a, 'shell', { line: 'sleep 9' });
  await harness.settle();
  expect(await harness.record(running.commandId)).toMatchObject({ owner: A, state: 'running' });
  harness.kill();
  await start(B);
  members.die(A);
  await settle(harness);
  const record = await harness.record(running.commandId);
  expect([record.owner, record.result?.outcome.kind]).toEqual([B, 'lost']);
  expect(harness.requests).toHaveLength(1);
  expect(harness.auditLines().map((line) => line['result'])).toEqual(['lost']);
});

test('a command whose end is only in the audit is settled as its line says, without a second line', async () => {
  const { harness, members, start } = createTwo(FREE);
  const a = await start(A);
  harness.setFaults((port, method) => {
    if (port !== 'store' || method !== 'commit' || harness.auditLines().length === 0) return undefined;
    harness.kill();
    return new Error('it dies here');
  });
  const done = harness.submit(a, 'shell', { line: 'true' });
  await harness.settle();
  harness.setFaults(() => undefined);
  await start(B);
  members.die(A);
  await settle(harness);
  expect((await harness.record(done.commandId)).result?.outcome.kind).toBe('completed');
  expect(harness.auditLines()).toHaveLength(1);
});

test('a coordinator that was taken for dead and wakes up returns the result from the new leader', async () => {
  const { harness, members, start } = createTwo();
  const a = await start(A);
  await start(B);
  const asked = harness.submit(a, 'shell', { line: 'touch x' });
  await harness.settle();
  members.die(A);
  await settle(harness);
  members.comeBack(A);
  await settle(harness);
  const seen = await hashOf(harness, asked.commandId);
  const answer = a.approvals.answer(asked.commandId, { kind: 'approve' }, { by: ANA, expect: seen });
  await settle(harness);
  expect((await answer).kind).toBe('granted');
  await settle(harness);
  expect((await asked.result).outcome.kind).toBe('completed');
  expect(await harness.record(asked.commandId)).toMatchObject({ owner: B, state: 'done' });
  expect(harness.requests).toHaveLength(1);
});

test('session rules are listed while their coordinator lives, and again if it was only taken for dead', async () => {
  const { harness, members, start } = createTwo();
  const a = await start(A);
  await start(B);
  const asked = harness.submit(a, 'shell', { line: 'touch x' });
  await harness.settle();
  const rule = { id: 'touch-x', allow: { program: 'touch', args: ['x'] } };
  await a.sessionRules.add(asked.commandId, rule);
  const listed = [{ session: aSessionId(), rule, by: A }];
  expect(await readSessionRules(harness.facts)).toEqual(listed);
  members.die(A);
  await settle(harness);
  expect(await readSessionRules(harness.facts)).toEqual([]);
  members.comeBack(A);
  await settle(harness);
  expect(await readSessionRules(harness.facts)).toEqual(listed);
});
