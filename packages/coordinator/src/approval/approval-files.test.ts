import type { CommandRecord } from '@signalbox/core';
import { expect, test } from 'vitest';
import type { Coordinator, Submitted } from '../coordinator-api.ts';
import {
  ANA,
  BEN,
  createHarness,
  questionOf,
  type CoordinatorHarness,
} from '../testing/coordinator-harness.ts';

async function ask(
  harness: CoordinatorHarness,
  line: string,
  coordinator: Coordinator,
): Promise<{ submitted: Submitted; record: CommandRecord }> {
  const submitted = harness.submit(coordinator, 'shell', { line });
  expect(await submitted.resting).toBe('pending');
  return { submitted, record: await harness.record(submitted.commandId) };
}

async function approve(harness: CoordinatorHarness, coordinator: Coordinator, { commandId }: Submitted) {
  const { approval } = await harness.record(commandId);
  if (approval === null) throw new Error('nothing asked');
  return coordinator.approvals.answer(commandId, { kind: 'approve' }, { by: ANA, expect: approval.callHash });
}

/** Writes the file without going through Signalbox. */
async function writeTo(
  harness: CoordinatorHarness,
  { path, text }: Readonly<{ path: string; text: string }>,
): Promise<void> {
  const standing = await harness.files.readText(path).catch(() => null);
  await harness.files.write(path, text, { expected: standing?.hash ?? 'absent' });
}

test('a file that changes before the answer repeats the approval request, and the approver is told which file', async () => {
  const harness = createHarness();
  await writeTo(harness, { path: 'deploy.sh', text: 'echo one\n' });
  const coordinator = await harness.start();
  const { submitted, record } = await ask(harness, 'bash deploy.sh', coordinator);
  await harness.clock.advance(60_000);
  await writeTo(harness, { path: 'deploy.sh', text: 'echo two\n' });
  const answer = await approve(harness, coordinator, submitted);
  expect(answer).toMatchObject({ kind: 'files-changed', paths: ['deploy.sh'] });
  const again = await harness.record(submitted.commandId);
  expect(again).toMatchObject({ state: 'awaiting_approval', approval: { status: 'pending' } });
  expect(again.approval?.expiresAt).toBe((record.approval?.expiresAt ?? 0) + 60_000);
  const [first, second, ...more] = await harness.reported('approval_requested');
  expect(first).not.toHaveProperty('again');
  expect(second).toMatchObject({ again: { because: 'files', paths: ['deploy.sh'] } });
  expect(more).toEqual([]);
  expect(harness.requests).toEqual([]);

  expect((await approve(harness, coordinator, submitted)).kind).toBe('granted');
  expect(await submitted.result).toMatchObject({ success: true, approvalMs: 60_000 });
  expect(harness.auditLines().at(-1)).toMatchObject({
    approved_by: 'ana',
    asked_again: [{ because: 'files', paths: ['deploy.sh'] }],
  });
});

test('a file that changes between the answer and the lease repeats the approval request (X-29)', async () => {
  const harness = createHarness();
  await writeTo(harness, { path: 'a', text: 'one\n' });
  const coordinator = await harness.start();
  const first = harness.submit(coordinator, 'hold', { path: 'b' });
  const { submitted } = await ask(harness, 'cp a b', coordinator);
  expect((await approve(harness, coordinator, first)).kind).toBe('granted');
  await harness.settle();
  expect((await approve(harness, coordinator, submitted)).kind).toBe('granted');
  await harness.settle();
  expect(submitted.status).toBe('queued');
  harness.tools.release(first.commandId);
  await harness.settle();
  expect(harness.requests).toEqual([]);
  expect((await harness.record(submitted.commandId)).approval).toMatchObject({
    status: 'pending',
    again: [{ because: 'files', paths: ['b'] }],
  });
  expect((await coordinator.queue()).leases).toEqual([]);
});

test.for([
  ['rm -rf dist', 'dist/new.js', ['dist/new.js']],
  ['rm -rf dist', 'dist/deep/old.js', ['dist/deep/old.js']],
  ['rm src/*.log', 'src/a.log', ['src/a.log']],
  ['rm src/*.log', 'src/new.log', ['src/new.log']],
  ['mv a.txt b.txt', 'b.txt', ['b.txt']],
  ['./tool.sh --all', 'tool.sh', ['tool.sh']],
] as const)('“%s” is bound to %s', async ([line, path, paths]) => {
  const harness = createHarness();
  for (const one of ['dist/deep/old.js', 'src/a.log', 'a.txt', 'tool.sh'])
    await writeTo(harness, { path: one, text: 'one\n' });
  const coordinator = await harness.start();
  const { submitted } = await ask(harness, line, coordinator);
  await writeTo(harness, { path, text: 'two\n' });
  expect(await approve(harness, coordinator, submitted)).toMatchObject({ kind: 'files-changed', paths });
});

test.for([
  ['rm src/*.log', 'src/a.ts'],
  ['rm -rf dist', 'src/a.ts'],
  ['cp -r src out', 'src/a.ts'],
] as const)('“%s” is not bound to %s', async ([line, path]) => {
  const harness = createHarness();
  for (const one of ['dist/a.js', 'src/a.log', 'src/a.ts'])
    await writeTo(harness, { path: one, text: 'one\n' });
  const coordinator = await harness.start();
  const { submitted } = await ask(harness, line, coordinator);
  await writeTo(harness, { path, text: 'two\n' });
  expect((await approve(harness, coordinator, submitted)).kind).toBe('granted');
});

test('what can’t be bound is listed: unknown writes, folders too large, names outside the workspace', async () => {
  const harness = createHarness();
  for (let n = 0; n < 501; n++) await writeTo(harness, { path: `big/${n}`, text: 'x' });
  await writeTo(harness, { path: 'large.bin', text: 'a'.repeat(1024 * 1024 + 1) });
  const coordinator = await harness.start();
  const unboundOf = async (line: string) => (await ask(harness, line, coordinator)).record.approval?.base;
  expect((await unboundOf('bash deploy.sh'))?.unbound).toEqual([
    'its writes are unknown until it runs',
    'workspace code that it runs',
  ]);
  expect(await unboundOf('rm -rf big')).toEqual({ files: [], unbound: ['big: more than 500 names'] });
  expect((await unboundOf('cp large.bin small.bin'))?.files).toEqual([
    { path: 'large.bin', state: expect.stringMatching(/^file, 1048577 bytes, changed \d+$/) },
    { path: 'small.bin', state: 'absent' },
  ]);
});

test('an answer to the request shown before a change is rejected, because the request is now another one', async () => {
  const harness = createHarness();
  await writeTo(harness, { path: 'deploy.sh', text: 'echo one\n' });
  const coordinator = await harness.start();
  const { submitted, record } = await ask(harness, 'bash deploy.sh', coordinator);
  await writeTo(harness, { path: 'deploy.sh', text: 'echo two\n' });
  await approve(harness, coordinator, submitted);
  const seen = record.approval?.callHash;
  if (seen === undefined) throw new Error('nothing asked');
  const { approvals } = coordinator;
  expect(
    await approvals.answer(submitted.commandId, { kind: 'approve' }, { by: BEN, expect: seen }),
  ).toMatchObject({
    kind: 'changed',
  });
  await writeTo(harness, { path: 'deploy.sh', text: 'echo one\n' });
  expect(await approve(harness, coordinator, submitted)).toMatchObject({ kind: 'files-changed' });
  expect(
    await approvals.answer(submitted.commandId, { kind: 'approve' }, { by: BEN, expect: seen }),
  ).toMatchObject({
    kind: 'granted',
  });
});

test('a file of a changed call that changes after it was shown voids the approval', async () => {
  const harness = createHarness();
  await writeTo(harness, { path: 'b.sh', text: 'echo one\n' });
  const coordinator = await harness.start();
  const { submitted, record } = await ask(harness, 'touch a', coordinator);
  const { approvals } = coordinator;
  const args = { line: 'bash b.sh' };
  const modify = async (judged: Awaited<ReturnType<typeof approvals.judge>>) => {
    const answer = { kind: 'modify', args, shown: questionOf(judged) } as const;
    return approvals.answer(submitted.commandId, answer, { by: ANA, expect: questionOf(record) });
  };
  const first = await approvals.judge(submitted.commandId, args);
  await writeTo(harness, { path: 'b.sh', text: 'echo two\n' });
  expect((await modify(first)).kind).toBe('changed');
  expect(submitted.status).toBe('pending');
  expect((await modify(await approvals.judge(submitted.commandId, args))).kind).toBe('granted');
});

test('a secret in a name is redacted in the approval request, and the name is still bound', async () => {
  const harness = createHarness();
  const coordinator = await harness.start();
  const { submitted, record } = await ask(harness, 'touch hunter2-hunter2.txt', coordinator);
  expect(JSON.stringify(record.approval)).not.toContain('hunter2-hunter2');
  await writeTo(harness, { path: 'hunter2-hunter2.txt', text: 'one\n' });
  const answer = await approve(harness, coordinator, submitted);
  expect(answer.kind).toBe('files-changed');
  expect(JSON.stringify(await harness.reported('approval_requested'))).not.toContain('hunter2-hunter2');
});

test('files bound before a restart still bind the answer', async () => {
  const harness = createHarness();
  await writeTo(harness, { path: 'deploy.sh', text: 'echo one\n' });
  const { submitted } = await ask(harness, 'bash deploy.sh', await harness.start());
  harness.kill();
  await writeTo(harness, { path: 'deploy.sh', text: 'echo two\n' });
  const coordinator = await harness.start();
  expect(await approve(harness, coordinator, submitted)).toMatchObject({
    kind: 'files-changed',
    paths: ['deploy.sh'],
  });
});

test('if the call’s files can’t be read nothing is granted, and the approval stays pending', async () => {
  const harness = createHarness();
  const coordinator = await harness.start({
    files: {
      ...harness.files,
      stat: () => (isBroken ? Promise.reject(new Error('I/O error')) : Promise.resolve(null)),
    },
  });
  let isBroken = false;
  const { submitted } = await ask(harness, 'touch a', coordinator);
  isBroken = true;
  await expect(approve(harness, coordinator, submitted)).rejects.toThrow('I/O error');
  expect(submitted.status).toBe('pending');
  isBroken = false;
  expect((await approve(harness, coordinator, submitted)).kind).toBe('granted');
});
