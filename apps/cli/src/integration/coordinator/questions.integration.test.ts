import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandView } from '@signalbox/api';
import { expect, test } from 'vitest';
import { environmentOf, type KilledWorld, killedWorld } from '../../testing/killed-world.ts';
import { resultsIn, startStatelessModel } from '../../testing/stateless-model.ts';

const CHOICES = ['SQLite', 'PostgreSQL'];
const ask = (args: Readonly<Record<string, unknown>>) => ({ tool: 'ask_person', args });

async function openQuestions(world: KilledWorld): Promise<readonly CommandView[]> {
  const { approvals } = await world.client().listApprovals();
  return approvals.map(({ command }) => command);
}

async function untilOpen(world: KilledWorld, count: number): Promise<readonly CommandView[]> {
  await expect.poll(async () => (await openQuestions(world)).length, { timeout: 60_000 }).toBe(count);
  return openQuestions(world);
}

function seen({ id, approval }: CommandView): { id: string; callHash: string } {
  return { id, callHash: approval?.callHash ?? '' };
}

test.for(['embedded', 'Redis'])(
  'a question survives kills of the coordinator, and its answer goes to the model once (%s)',
  { timeout: 240_000 },
  async (backend) => {
    const world = killedWorld(await environmentOf(backend));
    const model = await startStatelessModel([[ask({ question: 'Which database?', choices: CHOICES })]]);
    await world.open({ m: { model } });
    const run = await world.start({ tasks: { m: 'Choose a database' }, until: null });
    await untilOpen(world, 1);
    await world.restart();
    const [asked] = await untilOpen(world, 1);
    if (asked === undefined) throw new Error('nothing is asked');
    expect(asked.approval).toMatchObject({
      status: 'pending',
      question: { text: 'Which database?', choices: CHOICES, allowText: true },
    });
    expect((await world.client().getQueue({})).leases).toEqual([]);

    // On Redis its next coordinator takes it over once the dead one counts as gone.
    const answer = () => world.client().answerQuestion({ ...seen(asked), text: 'Neither: files' });
    await expect
      .poll(() => answer().catch(() => null), { timeout: 60_000, interval: 500 })
      .toMatchObject({ approval: { status: 'granted', answer: 'Neither: files' } });
    const again = world.client().answerQuestion({ ...seen(asked), text: 'SQLite' });
    await expect(again).rejects.toMatchObject({ code: 'already-decided' });
    await world.ended(run);
    expect(model.requests.map(({ turn }) => turn)).toEqual([1, 2]);
    expect([...resultsIn(model.requests.at(-1)).values()]).toEqual(['Neither: files']);
  },
);

test('a question is answered in words alone, by one of its choices where it allows no text', async () => {
  const world = killedWorld();
  const question = { question: 'Go\non?\u001b[2J', choices: ['yes', 'no'], allow_text: false };
  const model = await startStatelessModel([[ask(question)]]);
  await world.open({ m: { model } });
  const run = await world.start({ tasks: { m: 'Ask' }, until: null });
  const [asked] = await untilOpen(world, 1);
  if (asked === undefined) throw new Error('nothing is asked');
  expect(asked.approval?.question?.text).toBe('Go on?\\x1b[2J');
  const client = world.client();
  await expect(client.grantApproval(seen(asked))).rejects.toMatchObject({ code: 'is-question' });
  const maybe = client.answerQuestion({ ...seen(asked), text: 'maybe' });
  await expect(maybe).rejects.toThrow('the answer is one of: "yes", "no"');
  const other = client.answerQuestion({ ...seen(asked), callHash: '0'.repeat(64), text: 'yes' });
  await expect(other).rejects.toMatchObject({ code: 'changed-call' });
  await client.answerQuestion({ ...seen(asked), text: 'yes' });
  await world.ended(run);
  expect([...resultsIn(model.requests.at(-1)).values()]).toEqual(['yes']);
}, 120_000);

test('the audit line of a question has the answer and who gave it, without secrets', async () => {
  const world = killedWorld();
  const model = await startStatelessModel([[ask({ question: 'Which token?' })]]);
  await world.open({ m: { model } });
  const run = await world.start({ tasks: { m: 'Ask' }, until: null });
  const [asked] = await untilOpen(world, 1);
  if (asked === undefined) throw new Error('nothing is asked');
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  await world.client().answerQuestion({ ...seen(asked), text: `Use ${secret}` });
  await world.ended(run);
  const audit = readFileSync(join(world.directory, '.signalbox', 'audit.jsonl'), 'utf8');
  const line = audit.split('\n').find((one) => one.includes(asked.id)) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({
    tool: 'ask_person',
    call: { question: 'Which token?' },
    result: 'completed',
    rule: 'question-asks',
    answers: [{ answer: 'answered', text: expect.stringMatching(/^Use \[redacted:/) }],
  });
  expect(audit).not.toContain(secret);
  expect(JSON.stringify(model.requests)).not.toContain(secret);
}, 120_000);

test('a model whose question nobody answers goes on: it is declined, or nobody attends', async () => {
  const world = killedWorld();
  const model = await startStatelessModel([[ask({ question: 'Shall I?' })]]);
  await world.open({ m: { model } });
  const attended = await world.start({ tasks: { m: 'Ask' }, until: null });
  const [asked] = await untilOpen(world, 1);
  if (asked === undefined) throw new Error('nothing is asked');
  await world.client().refuseApproval({ ...seen(asked), reason: 'decide yourself' });
  await world.ended(attended);
  const declined = [...resultsIn(model.requests.at(-1)).values()].join('');
  expect(declined).toContain('does not answer this question: decide yourself');

  await world.ended(await world.start({ tasks: { m: 'Ask' }, until: null, attended: false }));
  const told = [...resultsIn(model.requests.at(-1)).values()].join('');
  expect(told).toContain('Nobody is there to answer questions');
  expect(told).toContain('decide by yourself');
}, 120_000);

test('a session has at most three open questions, and its other calls go on meanwhile', async () => {
  const world = killedWorld();
  const questions = [1, 2, 3, 4].map((n) => ask({ question: `Question ${n}?` }));
  const mark = { tool: 'write_file', args: { path: 'mark.txt', content: 'mark' } };
  const model = await startStatelessModel([[...questions, mark]]);
  await world.open({ m: { model } });
  const run = await world.start({ tasks: { m: 'Ask a lot' }, until: null });
  const open = await untilOpen(world, 3);
  const isWritten = async () =>
    (await world.client().listCommands({})).commands.some(
      ({ call, status }) => call.tool === 'write_file' && status === 'completed',
    );
  await expect.poll(isWritten, { timeout: 60_000 }).toBe(true);
  for (const one of open) await world.client().answerQuestion({ ...seen(one), text: 'Fine' });
  await world.ended(run);
  const results = [...resultsIn(model.requests.at(-1)).values()];
  expect(results.filter((text) => text === 'Fine')).toHaveLength(3);
  expect(results[3]).toContain('3 questions of this session are still open');
}, 120_000);
