import { expect, test } from 'vitest';
import { ask } from '../testing/ask.ts';
import { ANA, createHarness } from '../testing/coordinator-harness.ts';

const FOR_GOOD = { approval: { expiry: '5m', on_expiry: 'deny' } };

test('an unanswered approval counts as denied when its time is over, if the settings say so (L-34, X-26)', async () => {
  const harness = createHarness(FOR_GOOD);
  const coordinator = await harness.start();
  const { submitted, hash } = await ask(harness, coordinator);
  await harness.clock.advance(299_999);
  expect(submitted.status).toBe('pending');
  await harness.clock.advance(1);
  expect((await submitted.result).failure?.code).toBe('approval-expired');
  expect(
    await coordinator.approvals.answer(submitted.commandId, { kind: 'approve' }, { by: ANA, expect: hash }),
  ).toMatchObject({
    kind: 'already-decided',
    approval: { status: 'expired' },
  });
});

test('an answer after the expiry is rejected, even if the timer was late because the machine slept', async () => {
  for (const kind of ['approve', 'deny'] as const) {
    const harness = createHarness(FOR_GOOD);
    const coordinator = await harness.start();
    const { submitted, hash } = await ask(harness, coordinator);
    harness.clock.setNow(harness.clock.now() + 3_600_000);
    expect(
      await coordinator.approvals.answer(submitted.commandId, { kind }, { by: ANA, expect: hash }),
    ).toMatchObject({
      kind: 'already-decided',
      approval: { status: 'expired' },
    });
    expect(await harness.endingOf(submitted)).toEqual(['denied', 'denied', 'denied']);
  }
});

test('setting the clock back does not extend an approval, and its time may exceed the longest timer', async () => {
  const harness = createHarness({ approval: { expiry: '30d' } });
  expect((await ask(harness, await harness.start())).submitted.status).toBe('pending');
  const coordinator = await harness.start({}, { approval: { expiry: '1m' } });
  const { submitted } = await ask(harness, coordinator, { path: 'b' });
  harness.clock.setNow(harness.clock.now() - 60_000);
  await harness.clock.advance(60_000);
  expect(submitted.status).toBe('pending');
  await harness.clock.advance(60_000);
  expect((await submitted.result).failure?.code).toBe('approval-expired');
});

test('after a restart an approval is pending until it expires, and its answer still counts', async () => {
  const harness = createHarness(FOR_GOOD);
  const { submitted, hash } = await ask(harness, await harness.start());
  const late = await ask(harness, await harness.start(), { path: 'b' });
  await harness.clock.advance(200_000);
  const coordinator = await harness.start();
  expect(
    (await coordinator.approvals.answer(submitted.commandId, { kind: 'deny' }, { by: ANA, expect: hash }))
      .kind,
  ).toBe('refused');
  await harness.clock.advance(100_000);
  expect((await harness.record(late.submitted.commandId)).approval?.status).toBe('expired');
});
