import { expect, test } from 'vitest';
import { ask } from '../testing/ask.ts';
import { ANA, createStage } from '../testing/coordinator-stage.ts';

const FOR_GOOD = { approval: { expiry: '5m', on_expiry: 'deny' } };

test('a question that nobody answers counts as refused when its time is over, where the settings say so', async () => {
  const stage = createStage(FOR_GOOD);
  const coordinator = await stage.start();
  const { submitted, hash } = await ask(stage, coordinator);
  await stage.clock.advance(299_999);
  expect(submitted.status).toBe('pending');
  await stage.clock.advance(1);
  expect((await submitted.result).failure?.code).toBe('approval-expired');
  expect(
    await coordinator.approvals.answer(submitted.commandId, { kind: 'approve' }, ANA, hash),
  ).toMatchObject({
    kind: 'already-decided',
    approval: { status: 'expired' },
  });
});

test('an answer after the time is over counts no more, even when the timer slept with the machine', async () => {
  for (const kind of ['approve', 'deny'] as const) {
    const stage = createStage(FOR_GOOD);
    const coordinator = await stage.start();
    const { submitted, hash } = await ask(stage, coordinator);
    stage.clock.setNow(stage.clock.now() + 3_600_000);
    expect(await coordinator.approvals.answer(submitted.commandId, { kind }, ANA, hash)).toMatchObject({
      kind: 'already-decided',
      approval: { status: 'expired' },
    });
    expect(await stage.endingOf(submitted)).toEqual(['denied', 'denied', 'denied']);
  }
});

test('a clock that is set back keeps the question open as long, and one may be longer than a timer', async () => {
  const stage = createStage({ approval: { expiry: '30d' } });
  expect((await ask(stage, await stage.start())).submitted.status).toBe('pending');
  const coordinator = await stage.start({}, { approval: { expiry: '1m' } });
  const { submitted } = await ask(stage, coordinator, 'b');
  stage.clock.setNow(stage.clock.now() - 60_000);
  await stage.clock.advance(60_000);
  expect(submitted.status).toBe('pending');
  await stage.clock.advance(60_000);
  expect((await submitted.result).failure?.code).toBe('approval-expired');
});

test('after a restart a question is open until it expires, and its answer still counts', async () => {
  const stage = createStage(FOR_GOOD);
  const { submitted, hash } = await ask(stage, await stage.start());
  const late = await ask(stage, await stage.start(), 'b');
  await stage.clock.advance(200_000);
  const coordinator = await stage.start();
  expect((await coordinator.approvals.answer(submitted.commandId, { kind: 'deny' }, ANA, hash)).kind).toBe(
    'refused',
  );
  await stage.clock.advance(100_000);
  expect((await stage.record(late.submitted.commandId)).approval?.status).toBe('expired');
});
