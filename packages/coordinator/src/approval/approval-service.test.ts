import { CallHash } from '@signalbox/core';
import { expect, test } from 'vitest';
import type { ApprovalAnswer } from '../coordinator-api.ts';
import { ask } from '../testing/ask.ts';
import { ANA, BEN, createHarness, questionOf } from '../testing/coordinator-harness.ts';

const OTHER = CallHash.parse('0'.repeat(64));

test('an approved call runs, and record and audit name the approver and the channel (S002-21, L-34)', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { submitted, hash } = await ask(harness, coordinator);
  await harness.clock.advance(2000);
  const answer = await coordinator.approvals.answer(
    submitted.commandId,
    { kind: 'approve' },
    { by: ANA, expect: hash },
  );
  expect(answer).toMatchObject({ kind: 'granted', record: { state: 'approved' } });
  await harness.settle();
  harness.tools.release(submitted.commandId);
  expect(await submitted.result).toMatchObject({ success: true, approvalMs: 2000 });
  expect(harness.auditLines().at(-1)).toMatchObject({ approved_by: 'ana', approved_over: 'test' });
});

test('an answer given while its approval request is being published counts', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const answered = Promise.withResolvers<unknown>();
  harness.events.subscribe((event) => {
    if (event.type !== 'approval_requested') return;
    const { commandId, callHash } = event;
    answered.resolve(
      coordinator.approvals.answer(commandId, { kind: 'approve' }, { by: ANA, expect: callHash }),
    );
  });
  const submitted = harness.submit(coordinator, 'hold', { path: 'a' });
  expect(await answered.promise).toMatchObject({ kind: 'granted', record: { state: 'approved' } });
  await harness.settle();
  harness.tools.release(submitted.commandId);
  expect(await submitted.result).toMatchObject({ success: true });
});

test('a denied call never runs, and its reason reaches the model (S002-17, S002-40)', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  for (const reason of ['not now', undefined]) {
    const { submitted, hash } = await ask(harness, coordinator);
    const deny = { kind: 'deny', ...(reason === undefined ? {} : { reason }) } as const;
    expect(
      await coordinator.approvals.answer(submitted.commandId, deny, { by: ANA, expect: hash }),
    ).toMatchObject({
      kind: 'refused',
      record: { approval: { status: 'refused', by: ANA } },
    });
    expect((await submitted.result).failure?.message).toBe(
      `A person (ana) denied this call${reason === undefined ? '' : ': not now'}`,
    );
  }
  expect(harness.tools.handled).toEqual([]);
});

test('an answer counts only for the call that the person saw (S001-03, S001-64, X-29)', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { submitted, hash } = await ask(harness, coordinator);
  for (const answer of [
    { kind: 'approve' },
    { kind: 'deny' },
    { kind: 'modify', args: { path: 'b' }, shown: OTHER },
  ] as const) {
    expect(
      await coordinator.approvals.answer(submitted.commandId, answer, { by: ANA, expect: OTHER }),
    ).toEqual({
      kind: 'changed',
      callHash: hash,
    });
  }
  expect(submitted.status).toBe('pending');
});

test('of simultaneous answers exactly one counts, and the others are told which (L-34)', async () => {
  const answers = ['approve', 'deny', 'modify'] as const;
  for (const first of answers) {
    for (const second of answers) {
      const harness = createHarness();
      const coordinator = await harness.start();
      const { submitted, hash } = await ask(harness, coordinator);
      const { approvals } = coordinator;
      const args = { path: 'b' };
      const shown = questionOf(await approvals.judge(submitted.commandId, args));
      const say = (kind: (typeof answers)[number]): ApprovalAnswer =>
        kind === 'modify' ? { kind, args, shown } : { kind };
      const reported = await Promise.all([
        approvals.answer(submitted.commandId, say(first), { by: ANA, expect: hash }),
        approvals.answer(submitted.commandId, say(second), { by: BEN, expect: hash }),
      ]);
      const kinds = reported.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'granted' || kind === 'refused')).toHaveLength(1);
      expect(kinds).toContain('already-decided');
      expect(
        (await harness.reported('command_approved')).length +
          (await harness.reported('command_denied')).length,
      ).toBe(1);
    }
  }
});

test('a changed call is judged before anything is granted, and runs as the person wrote it', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { submitted, record, hash } = await ask(harness, coordinator);
  const { approvals } = coordinator;
  const modify = (path: unknown, shown = OTHER) =>
    approvals.answer(
      submitted.commandId,
      { kind: 'modify', args: { path }, shown },
      { by: ANA, expect: hash },
    );
  expect(await modify('../x')).toMatchObject({
    kind: 'not-approvable',
    failure: { code: 'path_not_allowed' },
  });
  expect(await modify(7)).toMatchObject({ kind: 'not-approvable', failure: { category: 'TypeMismatch' } });
  expect(await modify('.git/config')).toMatchObject({ kind: 'not-approvable' });
  const shown = questionOf(await approvals.judge(submitted.commandId, { path: 'b' }));
  expect(await modify('b')).toEqual({ kind: 'changed', callHash: shown });
  expect(submitted.status).toBe('pending');
  expect(await modify('b', shown)).toMatchObject({ kind: 'granted' });
  await harness.settle();
  harness.tools.release(submitted.commandId);
  await submitted.result;
  expect(Object.keys(harness.files.texts())).toEqual(['b']);
  expect((await harness.record(submitted.commandId)).approval).toMatchObject({ modifiedFrom: record.call });
  expect(await harness.reported('command_approved')).toMatchObject([{ modified: true, by: ANA }]);
});

test('judge() returns the verdict on a changed call, and decides nothing', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { submitted, hash } = await ask(harness, coordinator);
  const { approvals } = coordinator;
  const judged = await approvals.judge(submitted.commandId, { path: 'b' });
  expect(judged).toMatchObject({ title: 'hold b', ruling: { kind: 'ask' } });
  expect('approval' in judged && judged.approval?.callHash !== hash).toBe(true);
  expect(judged).toMatchObject({ approval: { base: { files: [{ path: 'b', state: 'absent' }] } } });
  expect(await approvals.judge(submitted.commandId, { path: '/etc/passwd' })).toMatchObject({
    code: 'path_not_allowed',
  });
  expect(await approvals.judge(submitted.commandId, { path: '.git/config' })).toMatchObject({
    category: 'PolicyBlocked',
  });
  expect(submitted.status).toBe('pending');
  const stranger = createHarness({ approval: { approval_mode: 'allow_all' } });
  expect(await (await stranger.start()).approvals.judge(submitted.commandId, {})).toMatchObject({
    code: 'unknown',
  });
});

test('if the call must not ask, it is denied at once', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const submitted = harness.submit(coordinator, 'hold', { path: 'a' }, { asking: 'never' });
  expect((await submitted.result).failure).toMatchObject({ code: 'approval-needed' });
  expect(await harness.reported('approval_requested')).toEqual([]);
});

test('with simultaneous cancel and approval the command is cancelled before it starts, or stopped', async () => {
  for (const cancelFirst of [true, false]) {
    const harness = createHarness();
    const coordinator = await harness.start();
    const { submitted, hash } = await ask(harness, coordinator);
    const cancel = () => coordinator.cancel(submitted.commandId, { by: 'ben' });
    const grant = () =>
      coordinator.approvals.answer(submitted.commandId, { kind: 'approve' }, { by: ANA, expect: hash });
    const answers = await Promise.all(cancelFirst ? [cancel(), grant()] : [grant(), cancel()]);
    expect(answers.map(({ kind }) => kind)).toContain('cancelled');
    expect((await submitted.result).outcome.kind).toBe('cancelled');
    await harness.settle();
    expect(harness.tools.handled).toEqual([]);
    expect(await coordinator.queue()).toEqual({ waiting: [], leases: [] });
  }
});

test('a denial that can’t be stored is never a grant; a grant that can’t be stored leaves the approval pending', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const refused = await ask(harness, coordinator, { path: 'a' });
  const granted = await ask(harness, coordinator, { path: 'b' });
  harness.setFaults((port, method) =>
    port === 'store' && method === 'commit' ? new Error('gone') : undefined,
  );
  const { approvals } = coordinator;
  await approvals.answer(refused.submitted.commandId, { kind: 'deny' }, { by: ANA, expect: refused.hash });
  expect((await refused.submitted.result).outcome.kind).toBe('denied');
  await expect(
    approvals.answer(granted.submitted.commandId, { kind: 'approve' }, { by: ANA, expect: granted.hash }),
  ).rejects.toThrow('gone');
  harness.setFaults(() => undefined);
  expect(
    (
      await approvals.answer(
        granted.submitted.commandId,
        { kind: 'approve' },
        { by: ANA, expect: granted.hash },
      )
    ).kind,
  ).toBe('granted');
});

test('approvals are listed by remaining time, and answers to a done or unknown command are rejected with that reason', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const first = await ask(harness, coordinator, { path: 'a' });
  await harness.clock.advance(1000);
  const second = await ask(harness, coordinator, { path: 'b' });
  expect((await coordinator.approvals.pending()).map(({ id }) => id)).toEqual([
    first.submitted.commandId,
    second.submitted.commandId,
  ]);
  const safe = harness.submit(coordinator, 'echo', { text: 'a' });
  await safe.result;
  expect(
    await coordinator.approvals.answer(safe.commandId, { kind: 'approve' }, { by: ANA, expect: OTHER }),
  ).toEqual({
    kind: 'unknown',
  });
  const other = await createHarness().start();
  expect(
    await other.approvals.answer(safe.commandId, { kind: 'approve' }, { by: ANA, expect: OTHER }),
  ).toEqual({
    kind: 'unknown',
  });
});
