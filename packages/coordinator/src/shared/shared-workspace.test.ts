import { type CommandId, type MemberId, MemberId as MemberIdSchema, type SessionId } from '@signalbox/core';
import { aSessionId, createMemoryMembers } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { readSessionRules } from '../approval/session-rules.ts';
import type { Coordinator } from '../coordinator-api.ts';
import type { CoordinatorOptions } from '../coordinator-options.ts';
import { ANA, anExecution, createStage, FREE, type Stage } from '../testing/coordinator-stage.ts';
import type { SharedWorkspace } from './shared-workspace.ts';

const A = MemberIdSchema.parse('cor_aaaaaaaaaaaa');
const B = MemberIdSchema.parse('cor_bbbbbbbbbbbb');

/** Two coordinators of one workspace, on the same small parts; each has a queue of its own. */
function createTwo(settings: Readonly<Record<string, unknown>> = {}) {
  const stage = createStage(settings);
  const members = createMemoryMembers();
  const shared = (id: MemberId, more: Partial<SharedWorkspace> = {}): SharedWorkspace => ({
    members: members.join(id),
    hasEnded: async () => false,
    isOver: async () => false,
    auditFileOf: () => stage.auditFile,
    takeBackFiles: async () => undefined,
    ...more,
  });
  async function start(
    id: MemberId,
    more: Partial<SharedWorkspace> = {},
    options: Partial<CoordinatorOptions> = {},
  ): Promise<Coordinator> {
    return stage.start({ shared: shared(id, more), ...options });
  }
  return { stage, members, start };
}

async function hashOf(stage: Stage, id: CommandId) {
  const { approval } = await stage.record(id);
  if (approval === null) throw new Error('not asked');
  return approval.callHash;
}

/** Lets both come to rest: messages are looked for ten times a second where the store can't tell of them. */
const settle = (stage: Stage): Promise<void> => stage.clock.advance(1000);

test('a command carries the coordinator that took it in, and a result given elsewhere counts for nobody else', async () => {
  const { stage, start } = createTwo(FREE);
  const a = await start(A);
  const submitted = stage.submit(a, 'shell', { line: 'true' });
  await stage.settle();
  expect(await stage.record(submitted.commandId)).toMatchObject({ owner: A, state: 'done' });
});

test('an answer that is given at another coordinator reaches the one that leads the command', async () => {
  const { stage, start } = createTwo();
  const a = await start(A);
  const b = await start(B);
  const asked = stage.submit(a, 'shell', { line: 'touch x' });
  const refused = stage.submit(a, 'shell', { line: 'touch y' });
  await stage.settle();
  const answers = Promise.all([
    b.approvals.answer(asked.commandId, { kind: 'approve' }, ANA, await hashOf(stage, asked.commandId)),
    b.approvals.answer(
      refused.commandId,
      { kind: 'deny', reason: 'no' },
      ANA,
      await hashOf(stage, refused.commandId),
    ),
  ]);
  await settle(stage);
  expect((await answers).map(({ kind }) => kind)).toEqual(['granted', 'refused']);
  expect((await asked.result).outcome.kind).toBe('completed');
  expect((await refused.result).outcome.kind).toBe('denied');
});

test('a cancel at another coordinator stops the command where it runs', async () => {
  const { stage, start } = createTwo();
  const a = await start(A);
  const b = await start(B);
  const asked = stage.submit(a, 'shell', { line: 'touch x' });
  await stage.settle();
  const answer = b.cancel(asked.commandId, 'ana', 'not now');
  await settle(stage);
  expect(await answer).toEqual({ kind: 'cancelled' });
  expect((await asked.result).outcome.kind).toBe('cancelled');
});

test('a session is stopped by whoever leads it, and no coordinator asks in a circle', async () => {
  const { stage, start } = createTwo();
  const stopped: string[] = [];
  const a = await start(A);
  const stopSession = async (id: SessionId): Promise<boolean> => {
    stopped.push(id);
    return id === aSessionId('known');
  };
  await start(B, {}, { stopSession });
  const known = a.stopSession(aSessionId('known'), 'ana');
  await settle(stage);
  expect(await known).toBe(true);
  const unknown = a.stopSession(aSessionId('nobody'), 'ana');
  await settle(stage);
  expect(await unknown).toBe(false);
  expect(stopped).toEqual([aSessionId('known'), aSessionId('nobody')]);
});

test('what a dead coordinator led goes on under one that lives: a question stays a question, what waited goes on', async () => {
  const { stage, members, start } = createTwo();
  const a = await start(A);
  const asked = stage.submit(a, 'shell', { line: 'touch x' });
  await stage.settle();
  stage.kill();
  const b = await start(B);
  expect(await stage.record(asked.commandId)).toMatchObject({ owner: A, state: 'awaiting_approval' });
  members.die(A);
  await settle(stage);
  expect(await stage.record(asked.commandId)).toMatchObject({ owner: B, state: 'awaiting_approval' });
  const answer = await b.approvals.answer(
    asked.commandId,
    { kind: 'approve' },
    ANA,
    await hashOf(stage, asked.commandId),
  );
  expect(answer.kind).toBe('granted');
  await settle(stage);
  expect((await stage.record(asked.commandId)).result?.outcome.kind).toBe('completed');
});

test.for(['scheduler cancel', 'store list', 'scheduler snapshot'] as const)(
  'what a dead coordinator led goes on where the backend is away in the middle of taking it over: at %s',
  async (at) => {
    const { stage, members, start } = createTwo(FREE);
    const a = await start(A);
    stage.setProgram(() => new Promise(() => undefined));
    const first = stage.submit(a, 'shell', { line: 'echo a > a.txt' });
    const waiting = stage.submit(a, 'shell', { line: 'echo b > a.txt' });
    await stage.settle();
    expect(await stage.record(waiting.commandId)).toMatchObject({ owner: A, state: 'queued' });
    stage.kill();
    const b = await start(B);
    stage.setProgram(async () => anExecution());
    let isAway = false;
    stage.setFaults((port, method) => {
      if (`${port} ${method}` !== at || isAway) return undefined;
      isAway = true;
      // Somebody else has seen to what the dead one led, but for this command, which is ours by now.
      void members.join(B).settled(A);
      return new Error('it is away');
    });
    members.die(A);
    await settle(stage);
    await settle(stage);
    expect(isAway).toBe(true);
    expect(await stage.record(waiting.commandId)).toMatchObject({ owner: B, state: 'done' });
    expect((await stage.record(first.commandId)).result?.outcome.kind).toBe('lost');
    await b.close();
  },
);

test('what ran when its coordinator died is lost once its lease is gone, and never run again', async () => {
  const { stage, members, start } = createTwo(FREE);
  const a = await start(A);
  stage.setProgram(() => new Promise(() => undefined));
  const running = stage.submit(a, 'shell', { line: 'sleep 9' });
  await stage.settle();
  expect(await stage.record(running.commandId)).toMatchObject({ owner: A, state: 'running' });
  stage.kill();
  await start(B);
  members.die(A);
  await settle(stage);
  const record = await stage.record(running.commandId);
  expect([record.owner, record.result?.outcome.kind]).toEqual([B, 'lost']);
  expect(stage.requests).toHaveLength(1);
  expect(stage.auditLines().map((line) => line['result'])).toEqual(['lost']);
});

test('what only its audit line says of its end is settled as it says, without a second line', async () => {
  const { stage, members, start } = createTwo(FREE);
  const a = await start(A);
  stage.setFaults((port, method) => {
    if (port !== 'store' || method !== 'commit' || stage.auditLines().length === 0) return undefined;
    stage.kill();
    return new Error('it dies here');
  });
  const done = stage.submit(a, 'shell', { line: 'true' });
  await stage.settle();
  stage.setFaults(() => undefined);
  await start(B);
  members.die(A);
  await settle(stage);
  expect((await stage.record(done.commandId)).result?.outcome.kind).toBe('completed');
  expect(stage.auditLines()).toHaveLength(1);
});

test('a coordinator that was taken for dead and wakes up gives the result of who leads its command now', async () => {
  const { stage, members, start } = createTwo();
  const a = await start(A);
  await start(B);
  const asked = stage.submit(a, 'shell', { line: 'touch x' });
  await stage.settle();
  members.die(A);
  await settle(stage);
  members.comeBack(A);
  await settle(stage);
  const seen = await hashOf(stage, asked.commandId);
  const answer = a.approvals.answer(asked.commandId, { kind: 'approve' }, ANA, seen);
  await settle(stage);
  expect((await answer).kind).toBe('granted');
  await settle(stage);
  expect((await asked.result).outcome.kind).toBe('completed');
  expect(await stage.record(asked.commandId)).toMatchObject({ owner: B, state: 'done' });
  expect(stage.requests).toHaveLength(1);
});

test('rules of sessions are listed as long as their coordinator lives, and again when it was only taken for dead', async () => {
  const { stage, members, start } = createTwo();
  const a = await start(A);
  await start(B);
  const asked = stage.submit(a, 'shell', { line: 'touch x' });
  await stage.settle();
  const rule = { id: 'touch-x', allow: { program: 'touch', args: ['x'] } };
  await a.sessionRules.add(asked.commandId, rule);
  const listed = [{ session: aSessionId(), rule, by: A }];
  expect(await readSessionRules(stage.facts)).toEqual(listed);
  members.die(A);
  await settle(stage);
  expect(await readSessionRules(stage.facts)).toEqual([]);
  members.comeBack(A);
  await settle(stage);
  expect(await readSessionRules(stage.facts)).toEqual(listed);
});
