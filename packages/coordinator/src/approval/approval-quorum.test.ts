import { expect, test } from 'vitest';
import type { ApprovalAnswer, Coordinator, Submitted } from '../coordinator-api.ts';
import {
  ANA,
  BEN,
  changeTo,
  createHarness,
  questionOf,
  type CoordinatorHarness,
} from '../testing/coordinator-harness.ts';

const TWO = {
  approval: { expiry: '5m', on_expiry: 'deny' },
  rules: [{ id: 'two-for-push', ask: { program: 'git', args: ['push', '**'] }, approvers: 2 }],
};

async function askTwo(harness: CoordinatorHarness, coordinator: Coordinator): Promise<Submitted> {
  const submitted = harness.submit(coordinator, 'shell', { line: 'git push' });
  expect(await submitted.resting).toBe('pending');
  return submitted;
}

async function answer(
  harness: CoordinatorHarness,
  coordinator: Coordinator,
  {
    submitted: { commandId },
    given,
  }: Readonly<{
    submitted: Submitted;
    given: {
      readonly by: typeof ANA | typeof BEN | { name: string; channel: 'cli' };
      /** Default: yes. */
      readonly say?: ApprovalAnswer;
      /** An approval of this line instead. */
      readonly changedTo?: string;
    };
  }>,
) {
  const { approvals } = coordinator;
  const args = given.changedTo === undefined ? null : { line: given.changedTo };
  const say: ApprovalAnswer =
    args === null
      ? (given.say ?? { kind: 'approve' })
      : { kind: 'modify', ...(await changeTo(coordinator, commandId, { args })) };
  return approvals.answer(commandId, say, {
    by: given.by,
    expect: questionOf(await harness.record(commandId)),
  });
}

test('a call that needs two people runs once a second one has approved, and both are in the audit line', async () => {
  const harness = createHarness(TWO);
  const coordinator = await harness.start();
  const submitted = await askTwo(harness, coordinator);
  expect(await answer(harness, coordinator, { submitted, given: { by: ANA } })).toMatchObject({
    kind: 'counted',
    record: { state: 'awaiting_approval', approval: { approvers: 2, grants: [{ by: ANA }] } },
  });
  await harness.settle();
  expect(harness.requests).toEqual([]);
  expect(await harness.reported('approval_counted')).toMatchObject([{ by: ANA, given: 1, approvers: 2 }]);
  expect((await answer(harness, coordinator, { submitted, given: { by: BEN } })).kind).toBe('granted');
  expect((await submitted.result).outcome.kind).toBe('completed');
  expect(harness.auditLines().at(-1)).toMatchObject({
    approved_by: 'ben',
    answers: [
      { by: 'ana', over: 'test', answer: 'granted' },
      { by: 'ben', over: 'test', answer: 'granted' },
    ],
  });
});

test('the same person counts once, whatever terminal and spelling', async () => {
  const harness = createHarness(TWO);
  const coordinator = await harness.start();
  const submitted = await askTwo(harness, coordinator);
  await answer(harness, coordinator, { submitted, given: { by: ANA } });
  for (const name of ['ana', 'ANA', ' ana']) {
    const by = { name, channel: 'cli' } as const;
    expect((await answer(harness, coordinator, { submitted, given: { by } })).kind).toBe('same-person');
  }
  expect(submitted.status).toBe('pending');
  expect(harness.requests).toEqual([]);
});

test.for([ANA, BEN])('a denial by either person denies it: %o', async (by) => {
  const harness = createHarness(TWO);
  const coordinator = await harness.start();
  const submitted = await askTwo(harness, coordinator);
  await answer(harness, coordinator, { submitted, given: { by: ANA } });
  const say = { kind: 'deny', reason: 'not today' } as const;
  expect((await answer(harness, coordinator, { submitted, given: { by, say } })).kind).toBe('refused');
  expect((await submitted.result).outcome.kind).toBe('denied');
  expect(harness.auditLines().at(-1)).toMatchObject({
    approved_by: null,
    answers: [
      { by: 'ana', answer: 'granted' },
      { by: by.name, answer: 'refused' },
    ],
  });
});

test('one approval of two is not enough when the time is over', async () => {
  const harness = createHarness(TWO);
  const coordinator = await harness.start();
  const submitted = await askTwo(harness, coordinator);
  await harness.clock.advance(200_000);
  await answer(harness, coordinator, { submitted, given: { by: ANA } });
  await harness.clock.advance(100_000);
  expect((await submitted.result).failure).toMatchObject({
    code: 'approval-expired',
    message: 'Only 1 of 2 approvals (ana) within 5 min, so it was denied',
  });
});

test('the first approval survives a restart, and the second may come after it', async () => {
  const harness = createHarness(TWO);
  const submitted = await askTwo(harness, await harness.start());
  await answer(harness, await harness.start(), { submitted, given: { by: ANA } });
  harness.kill();
  const coordinator = await harness.start();
  expect((await answer(harness, coordinator, { submitted, given: { by: ANA } })).kind).toBe('same-person');
  expect((await answer(harness, coordinator, { submitted, given: { by: BEN } })).kind).toBe('granted');
  await harness.settle();
  expect((await harness.record(submitted.commandId)).result?.outcome.kind).toBe('completed');
});

test('changing a call drops the first approval of the old call, and counts that of the person who changed it', async () => {
  const harness = createHarness(TWO);
  const coordinator = await harness.start();
  const submitted = await askTwo(harness, coordinator);
  await answer(harness, coordinator, { submitted, given: { by: ANA } });
  expect(
    await answer(harness, coordinator, { submitted, given: { by: BEN, changedTo: 'git push --tags' } }),
  ).toMatchObject({
    kind: 'counted',
    record: { title: 'shell git push --tags', approval: { grants: [{ by: BEN }] } },
  });
  expect((await answer(harness, coordinator, { submitted, given: { by: BEN } })).kind).toBe('same-person');
  expect((await answer(harness, coordinator, { submitted, given: { by: ANA } })).kind).toBe('granted');
  await submitted.result;
  expect(harness.requests.map(({ program }) => program)).toEqual([
    { kind: 'shell', line: 'git push --tags' },
  ]);
  expect((await harness.record(submitted.commandId)).approval).toMatchObject({
    modifiedFrom: { args: { line: 'git push' } },
    again: [{ because: 'call' }],
  });
});

test('a call that one person changed into one that needs two waits for the second', async () => {
  const harness = createHarness(TWO);
  const coordinator = await harness.start();
  const submitted = harness.submit(coordinator, 'shell', { line: 'touch a' });
  await submitted.resting;
  expect(
    (await answer(harness, coordinator, { submitted, given: { by: ANA, changedTo: 'git push' } })).kind,
  ).toBe('counted');
  await harness.settle();
  expect(harness.requests).toEqual([]);
});

test('one approval is not enough if a second one is needed by the time it may run', async () => {
  const inAlert = { id: 'two-in-alert', ask: { program: 'touch' }, modes: ['ALERT'], approvers: 2 };
  const harness = createHarness({ rules: [inAlert] });
  const coordinator = await harness.start();
  const holders = ['a', 'b', 'c'].map((path) => harness.submit(coordinator, 'hold', { path }));
  for (const holder of holders) {
    await holder.resting;
    await answer(harness, coordinator, { submitted: holder, given: { by: ANA } });
  }
  const submitted = harness.submit(coordinator, 'shell', { line: 'touch d' });
  await submitted.resting;
  await answer(harness, coordinator, { submitted, given: { by: ANA } });
  await harness.settle();
  expect(submitted.status).toBe('queued');
  await coordinator.setMode('ALERT', { by: 'ben', reason: 'strange pushes' });
  harness.tools.release(holders[0]?.commandId ?? submitted.commandId);
  await harness.settle();
  expect(await harness.record(submitted.commandId)).toMatchObject({
    state: 'awaiting_approval',
    approval: { approvers: 2, grants: [] },
  });
  expect(harness.requests).toEqual([]);
});
