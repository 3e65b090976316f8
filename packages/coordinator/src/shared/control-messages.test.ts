import { CallHash, type Facts, type Json, NodeId, UnavailableError } from '@signalbox/core';
import {
  aCommandId,
  createManualClock,
  createMemoryFacts,
  createMemoryLogger,
  createMemoryNodes,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { ANA, changeTo, createHarness } from '../testing/coordinator-harness.ts';
import { type ControlMessage, type MessageAnswer, sendMessage, serveMessages } from './control-messages.ts';

const SELF = NodeId.parse('cor_aaaaaaaaaaaa');
const INBOX = `control-messages:${SELF}`;
const CANCEL: ControlMessage = { kind: 'cancel', id: aCommandId(), by: 'ana', reason: 'enough' };

/** The reply, or why there is none. */
function reported(answer: MessageAnswer): Json {
  return answer.kind === 'replied' ? answer.reply : answer.kind;
}

function setUp(answer: (message: ControlMessage) => Promise<Json>, facts: Facts = createMemoryFacts()) {
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const controller = new AbortController();
  const heard: ControlMessage[] = [];
  const box = serveMessages(facts, {
    clock,
    logger,
    of: SELF,
    answer(message) {
      heard.push(message);
      return answer(message);
    },
  });
  return {
    facts,
    logger,
    heard,
    /** First completes everything that needs no time. */
    async pass(ms: number) {
      await clock.advance(0);
      await clock.advance(ms);
    },
    box,
    giveUp: () => controller.abort(),
    send: async (message: ControlMessage, id = 'a') =>
      reported(await sendMessage(facts, message, { id, clock, signal: controller.signal, to: SELF })),
  };
}

test('a request is answered within 300 ms, and the inbox is empty afterwards', async () => {
  const sent = setUp(async (message) => ({ kind: message.kind }));
  await sent.pass(0);
  const reply = sent.send(CANCEL);
  await sent.pass(300);
  expect(await reply).toEqual({ kind: 'cancel' });
  expect(await sent.facts.get(INBOX)).toEqual({ messages: [], replies: [] });
});

test('two simultaneous requests are both answered, each once', async () => {
  const sent = setUp(async (message) => (message.kind === 'cancel' ? message.reason : null));
  await sent.pass(0);
  const replies = [
    sent.send({ ...CANCEL, reason: 'one' }, 'a'),
    sent.send({ ...CANCEL, reason: 'two' }, 'b'),
  ];
  await sent.pass(300);
  expect(await Promise.all(replies)).toEqual(['one', 'two']);
  expect(sent.heard).toHaveLength(2);
});

test('a request that can’t be done gets a failure reply, and the next one is read', async () => {
  const sent = setUp(async (message) => {
    if (message.kind === 'cancel' && message.reason === 'bad') throw new Error('no such thing');
    return 'done';
  });
  await sent.pass(0);
  const bad = sent.send({ ...CANCEL, reason: 'bad' }, 'a').catch((error: unknown) => error);
  const good = sent.send(CANCEL, 'b');
  await sent.pass(300);
  expect(await bad).toEqual(new UnavailableError('not-done', 'no such thing'));
  expect(await good).toBe('done');
  expect(sent.heard).toHaveLength(2);
});

test('invalid data in the inbox is dropped, and one bad request does not affect others', async () => {
  const sent = setUp(async () => 'done');
  await sent.pass(0);
  for (const rubbish of ['?', { messages: 7 }, null]) {
    await sent.facts.set(INBOX, rubbish);
    await sent.pass(100);
    const reply = sent.send(CANCEL);
    await sent.pass(300);
    expect(await reply).toBe('done');
  }
  await sent.facts.set(INBOX, { messages: [{ id: 'x', message: { kind: 'explode' } }], replies: [] });
  const reply = sent.send(CANCEL, 'y');
  await sent.pass(300);
  expect(await reply).toBe('done');
  expect(sent.heard).toHaveLength(4);
  expect(await sent.facts.get(INBOX)).toMatchObject({
    replies: [{ id: 'x', reply: { kind: 'failed' } }],
  });
});

test('giving up withdraws the request, unless the reply is there already', async () => {
  const slow = Promise.withResolvers<Json>();
  const sent = setUp(() => slow.promise);
  await sent.box.stop();
  const unread = sent.send(CANCEL);
  await sent.pass(100);
  sent.giveUp();
  await sent.pass(100);
  expect(await unread).toBe('withdrawn');
  expect(await sent.facts.get(INBOX)).toEqual({ messages: [], replies: [] });

  const read = setUp(() => slow.promise);
  await read.pass(0);
  const reply = read.send(CANCEL);
  await read.pass(150);
  read.giveUp();
  slow.resolve('after all');
  await read.pass(100);
  expect(await reply).toBe('after all');
});

test('giving up after the request was taken, and before its reply, returns that it may have run', async () => {
  const { promise: never } = Promise.withResolvers<Json>();
  const sent = setUp(() => never);
  await sent.pass(0);
  const reply = sent.send(CANCEL);
  await sent.pass(150);
  expect(sent.heard).toEqual([CANCEL]);
  sent.giveUp();
  await sent.pass(100);
  expect(await reply).toBe('unanswered');
});

test('requests from before the start are not done, and only the last fifty replies are kept', async () => {
  const facts = createMemoryFacts();
  await facts.set(INBOX, { messages: [{ id: 'old', message: CANCEL }], replies: [] });
  const sent = setUp(async () => 'done', facts);
  await sent.pass(500);
  expect(sent.heard).toEqual([]);
  const messages = Array.from({ length: 60 }, (_, n) => ({ id: `${n}`, message: CANCEL }));
  await facts.set(INBOX, { messages, replies: [] });
  await sent.pass(300);
  const box = (await facts.get(INBOX)) as { replies: { id: string }[] };
  expect(box.replies.map(({ id }) => id)).toEqual(messages.slice(10).map(({ id }) => id));
});

test('an unreadable store is read again, and nothing is thrown', async () => {
  const facts = createMemoryFacts();
  let broken = true;
  const sent = setUp(async () => 'done', {
    ...facts,
    get: (key) => (broken ? Promise.reject(new Error('gone')) : facts.get(key)),
  });
  await sent.pass(300);
  broken = false;
  const reply = sent.send(CANCEL);
  await sent.pass(300);
  expect(await reply).toBe('done');
  expect(sent.logger.lines.map(({ message }) => message)).toContain('control messages not readable');
});

test('stop() waits for the request in progress, and reads no more', async () => {
  const answer = Promise.withResolvers<Json>();
  const sent = setUp(() => answer.promise);
  await sent.pass(0);
  const reply = sent.send(CANCEL);
  await sent.pass(100);
  let stopped = false;
  const stopping = sent.box.stop().then(() => (stopped = true));
  await sent.pass(100);
  expect(stopped).toBe(false);
  answer.resolve('done');
  await stopping;
  await sent.pass(100);
  expect(await reply).toBe('done');
  const unread = sent.send(CANCEL, 'b');
  await sent.pass(500);
  expect(sent.heard).toHaveLength(1);
  sent.giveUp();
  await sent.pass(100);
  expect(await unread).toBe('withdrawn');
});

test('requests of every kind take effect at the coordinator that receives them', async () => {
  const harness = createHarness();
  const coordinator = await harness.start({
    shared: {
      members: createMemoryNodes().join(SELF),
      hasEnded: async () => false,
      isOver: async () => false,
      auditFileOf: () => harness.auditFile,
      takeBackFiles: async () => undefined,
    },
  });
  let messages = 0;
  const send = async (message: ControlMessage): Promise<Json> => {
    messages += 1;
    const { signal } = new AbortController();
    const reply = sendMessage(harness.facts, message, {
      id: `${messages}`,
      clock: harness.clock,
      signal,
      to: SELF,
    });
    const [answer] = await Promise.all([reply, harness.settle().then(() => harness.clock.advance(300))]);
    return reported(answer);
  };
  const asked = [];
  for (const path of ['a', 'b', 'c', 'd']) {
    const submitted = harness.submit(coordinator, 'hold', { path });
    await submitted.resting;
    const { approval } = await harness.record(submitted.commandId);
    asked.push({ id: submitted.commandId, expect: approval?.callHash ?? CallHash.parse('0'.repeat(64)) });
  }
  const [first, second, third, fourth] = asked;
  if (!first || !second || !third || !fourth) throw new Error('nothing asked');
  expect(await send({ kind: 'approve', ...first, by: ANA })).toMatchObject({ kind: 'granted' });
  const change = await changeTo(coordinator, second.id, { args: { path: 'x' } });
  expect(await send({ kind: 'approve', ...second, by: ANA, change })).toMatchObject({
    kind: 'granted',
    record: { call: { args: { path: 'x' } } },
  });
  expect(await send({ kind: 'deny', ...third, by: ANA, reason: 'no' })).toMatchObject({ kind: 'refused' });
  expect(await send({ kind: 'deny', ...third, by: ANA })).toMatchObject({ kind: 'already-decided' });
  const rule = { id: 'hold-d', allow: { tool: 'hold', path: 'd' } };
  expect(await send({ kind: 'remember', id: fourth.id, rule })).toMatchObject({ rule: 'hold-d' });
  await expect(send({ kind: 'remember', id: fourth.id, rule })).rejects.toThrow(
    'already has a rule with that name',
  );
  expect(await send({ kind: 'forget', rule: 'hold-d' })).toEqual({ removed: true });
  expect(await send({ kind: 'forget', rule: 'hold-d' })).toEqual({ removed: false });
  expect(await send({ kind: 'cancel', id: fourth.id, by: 'ana', reason: 'no' })).toEqual({
    kind: 'cancelled',
  });
});
