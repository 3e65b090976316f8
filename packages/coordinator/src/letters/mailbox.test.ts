import { CallHash, type Facts, type Json, UnavailableError } from '@signalbox/core';
import {
  aCommandId,
  createManualClock,
  createMemoryFacts,
  createMemoryLogger,
} from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { ANA, changeTo, createStage } from '../testing/coordinator-stage.ts';
import { type Letter, type LetterAnswer, sendLetter, serveMailbox } from './mailbox.ts';

const CANCEL: Letter = { kind: 'cancel', id: aCommandId(), by: 'ana', reason: 'enough' };

/** The reply, or why there is none. */
function told(answer: LetterAnswer): Json {
  return answer.kind === 'replied' ? answer.reply : answer.kind;
}

function setUp(answer: (letter: Letter) => Promise<Json>, facts: Facts = createMemoryFacts()) {
  const clock = createManualClock();
  const logger = createMemoryLogger();
  const controller = new AbortController();
  const heard: Letter[] = [];
  const box = serveMailbox(facts, {
    clock,
    logger,
    answer(letter) {
      heard.push(letter);
      return answer(letter);
    },
  });
  return {
    facts,
    logger,
    heard,
    /** First lets happen what needs no time. */
    async pass(ms: number) {
      await clock.advance(0);
      await clock.advance(ms);
    },
    box,
    giveUp: () => controller.abort(),
    send: async (letter: Letter, id = 'a') =>
      told(await sendLetter(facts, letter, { id, clock, signal: controller.signal })),
  };
}

test('a letter is answered within 300 ms, and the mailbox is empty afterwards', async () => {
  const post = setUp(async (letter) => ({ kind: letter.kind }));
  await post.pass(0);
  const reply = post.send(CANCEL);
  await post.pass(300);
  expect(await reply).toEqual({ kind: 'cancel' });
  expect(await post.facts.get('mailbox')).toEqual({ letters: [], replies: [] });
});

test('two letters at once are both answered, each once', async () => {
  const post = setUp(async (letter) => (letter.kind === 'cancel' ? letter.reason : null));
  await post.pass(0);
  const replies = [
    post.send({ ...CANCEL, reason: 'one' }, 'a'),
    post.send({ ...CANCEL, reason: 'two' }, 'b'),
  ];
  await post.pass(300);
  expect(await Promise.all(replies)).toEqual(['one', 'two']);
  expect(post.heard).toHaveLength(2);
});

test('a letter that can’t be done is answered so, and the next one is read', async () => {
  const post = setUp(async (letter) => {
    if (letter.kind === 'cancel' && letter.reason === 'bad') throw new Error('no such thing');
    return 'done';
  });
  await post.pass(0);
  const bad = post.send({ ...CANCEL, reason: 'bad' }, 'a').catch((error: unknown) => error);
  const good = post.send(CANCEL, 'b');
  await post.pass(300);
  expect(await bad).toEqual(new UnavailableError('not-done', 'no such thing'));
  expect(await good).toBe('done');
  expect(post.heard).toHaveLength(2);
});

test('rubbish in the mailbox is thrown away, and one bad letter spoils no other', async () => {
  const post = setUp(async () => 'done');
  await post.pass(0);
  for (const rubbish of ['?', { letters: 7 }, null]) {
    await post.facts.set('mailbox', rubbish);
    await post.pass(100);
    const reply = post.send(CANCEL);
    await post.pass(300);
    expect(await reply).toBe('done');
  }
  await post.facts.set('mailbox', { letters: [{ id: 'x', letter: { kind: 'explode' } }], replies: [] });
  const reply = post.send(CANCEL, 'y');
  await post.pass(300);
  expect(await reply).toBe('done');
  expect(post.heard).toHaveLength(4);
  expect(await post.facts.get('mailbox')).toMatchObject({
    replies: [{ id: 'x', reply: { kind: 'failed' } }],
  });
});

test('who gives up waiting takes the letter back, unless the reply is there already', async () => {
  const slow = Promise.withResolvers<Json>();
  const post = setUp(() => slow.promise);
  await post.box.stop();
  const unread = post.send(CANCEL);
  await post.pass(100);
  post.giveUp();
  await post.pass(100);
  expect(await unread).toBe('taken-back');
  expect(await post.facts.get('mailbox')).toEqual({ letters: [], replies: [] });

  const read = setUp(() => slow.promise);
  await read.pass(0);
  const reply = read.send(CANCEL);
  await read.pass(150);
  read.giveUp();
  slow.resolve('after all');
  await read.pass(100);
  expect(await reply).toBe('after all');
});

test('who gives up after the letter was taken, and before its reply, is told that it may have been done', async () => {
  const { promise: never } = Promise.withResolvers<Json>();
  const post = setUp(() => never);
  await post.pass(0);
  const reply = post.send(CANCEL);
  await post.pass(150);
  expect(post.heard).toEqual([CANCEL]);
  post.giveUp();
  await post.pass(100);
  expect(await reply).toBe('unanswered');
});

test('letters from before the start are not done, and only the last fifty replies are kept', async () => {
  const facts = createMemoryFacts();
  await facts.set('mailbox', { letters: [{ id: 'old', letter: CANCEL }], replies: [] });
  const post = setUp(async () => 'done', facts);
  await post.pass(500);
  expect(post.heard).toEqual([]);
  const letters = Array.from({ length: 60 }, (_, n) => ({ id: `${n}`, letter: CANCEL }));
  await facts.set('mailbox', { letters, replies: [] });
  await post.pass(300);
  const box = (await facts.get('mailbox')) as { replies: { id: string }[] };
  expect(box.replies.map(({ id }) => id)).toEqual(letters.slice(10).map(({ id }) => id));
});

test('a store that can’t be read is looked at again, and nothing is thrown', async () => {
  const facts = createMemoryFacts();
  let broken = true;
  const post = setUp(async () => 'done', {
    ...facts,
    get: (key) => (broken ? Promise.reject(new Error('gone')) : facts.get(key)),
  });
  await post.pass(300);
  broken = false;
  const reply = post.send(CANCEL);
  await post.pass(300);
  expect(await reply).toBe('done');
  expect(post.logger.lines.map(({ message }) => message)).toContain('mailbox not readable');
});

test('stop() waits for the letter that is being answered, and reads no more', async () => {
  const answer = Promise.withResolvers<Json>();
  const post = setUp(() => answer.promise);
  await post.pass(0);
  const reply = post.send(CANCEL);
  await post.pass(100);
  let stopped = false;
  const stopping = post.box.stop().then(() => (stopped = true));
  await post.pass(100);
  expect(stopped).toBe(false);
  answer.resolve('done');
  await stopping;
  await post.pass(100);
  expect(await reply).toBe('done');
  const unread = post.send(CANCEL, 'b');
  await post.pass(500);
  expect(post.heard).toHaveLength(1);
  post.giveUp();
  await post.pass(100);
  expect(await unread).toBe('taken-back');
});

test('letters of every kind do what they say to the running coordinator', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  let letters = 0;
  const send = async (letter: Letter): Promise<Json> => {
    letters += 1;
    const { signal } = new AbortController();
    const reply = sendLetter(stage.facts, letter, { id: `${letters}`, clock: stage.clock, signal });
    const [answer] = await Promise.all([reply, stage.settle().then(() => stage.clock.advance(300))]);
    return told(answer);
  };
  const asked = [];
  for (const path of ['a', 'b', 'c', 'd']) {
    const submitted = stage.submit(coordinator, 'hold', { path });
    await submitted.resting;
    const { approval } = await stage.record(submitted.commandId);
    asked.push({ id: submitted.commandId, expect: approval?.callHash ?? CallHash.parse('0'.repeat(64)) });
  }
  const [first, second, third, fourth] = asked;
  if (!first || !second || !third || !fourth) throw new Error('nothing asked');
  expect(await send({ kind: 'approve', ...first, by: ANA })).toMatchObject({ kind: 'granted' });
  const change = await changeTo(coordinator, second.id, { path: 'x' });
  expect(await send({ kind: 'approve', ...second, by: ANA, change })).toMatchObject({
    kind: 'granted',
    record: { call: { args: { path: 'x' } } },
  });
  expect(await send({ kind: 'deny', ...third, by: ANA, reason: 'no' })).toMatchObject({ kind: 'refused' });
  expect(await send({ kind: 'deny', ...third, by: ANA })).toMatchObject({ kind: 'already-decided' });
  expect(await send({ kind: 'judge', id: fourth.id, args: { path: 'y' } })).toMatchObject({
    title: 'hold y',
    ruling: { kind: 'ask' },
  });
  const rule = { id: 'hold-d', allow: { tool: 'hold', path: 'd' } };
  expect(await send({ kind: 'remember', id: fourth.id, rule })).toMatchObject({ rule: 'hold-d' });
  await expect(send({ kind: 'remember', id: fourth.id, rule })).rejects.toThrow('has one of that name');
  expect(await send({ kind: 'forget', rule: 'hold-d' })).toEqual({ removed: true });
  expect(await send({ kind: 'forget', rule: 'hold-d' })).toEqual({ removed: false });
  expect(await send({ kind: 'cancel', id: fourth.id, by: 'ana', reason: 'no' })).toEqual({
    kind: 'cancelled',
  });
  expect(await send({ kind: 'mode', mode: 'ALERT', by: 'ana', reason: 'odd' })).toMatchObject({
    mode: 'ALERT',
  });
  expect(await coordinator.mode()).toMatchObject({ mode: 'ALERT', by: 'ana', reason: 'odd' });
  await expect(send({ kind: 'mode', mode: 'NORMAL', by: 'ana', reason: ' ' })).rejects.toThrow(
    'needs a reason',
  );
});
