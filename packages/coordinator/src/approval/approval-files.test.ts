import type { CommandRecord } from '@signalbox/core';
import { expect, test } from 'vitest';
import type { Coordinator, Submitted } from '../coordinator-api.ts';
import { ANA, BEN, createStage, questionOf, type Stage } from '../testing/coordinator-stage.ts';

async function ask(
  stage: Stage,
  coordinator: Coordinator,
  line: string,
): Promise<{ submitted: Submitted; record: CommandRecord }> {
  const submitted = stage.submit(coordinator, 'shell', { line });
  expect(await submitted.resting).toBe('pending');
  return { submitted, record: await stage.record(submitted.commandId) };
}

async function approve(stage: Stage, coordinator: Coordinator, { commandId }: Submitted) {
  const { approval } = await stage.record(commandId);
  if (approval === null) throw new Error('nothing asked');
  return coordinator.approvals.answer(commandId, { kind: 'approve' }, ANA, approval.callHash);
}

/** Somebody writes the file past Signalbox. */
async function writeTo(stage: Stage, path: string, text: string): Promise<void> {
  const standing = await stage.files.readText(path).catch(() => null);
  await stage.files.write(path, text, standing?.hash ?? 'absent');
}

test('a file that changes before the click makes the question be put anew, and the person is told which', async () => {
  const stage = createStage();
  await writeTo(stage, 'deploy.sh', 'echo one\n');
  const coordinator = await stage.start();
  const { submitted, record } = await ask(stage, coordinator, 'bash deploy.sh');
  await stage.clock.advance(60_000);
  await writeTo(stage, 'deploy.sh', 'echo two\n');
  const answer = await approve(stage, coordinator, submitted);
  expect(answer).toMatchObject({ kind: 'files-changed', paths: ['deploy.sh'] });
  const again = await stage.record(submitted.commandId);
  expect(again).toMatchObject({ state: 'awaiting_approval', approval: { status: 'pending' } });
  expect(again.approval?.expiresAt).toBe((record.approval?.expiresAt ?? 0) + 60_000);
  const [first, second, ...more] = await stage.told('approval_requested');
  expect(first).not.toHaveProperty('again');
  expect(second).toMatchObject({ again: { because: 'files', paths: ['deploy.sh'] } });
  expect(more).toEqual([]);
  expect(stage.requests).toEqual([]);

  expect((await approve(stage, coordinator, submitted)).kind).toBe('granted');
  expect(await submitted.result).toMatchObject({ success: true, approvalMs: 60_000 });
  expect(stage.auditLines().at(-1)).toMatchObject({
    approved_by: 'ana',
    asked_again: [{ because: 'files', paths: ['deploy.sh'] }],
  });
});

test('a file that changes between the click and the lease makes the question be put anew', async () => {
  const stage = createStage();
  await writeTo(stage, 'a', 'one\n');
  const coordinator = await stage.start();
  const first = stage.submit(coordinator, 'hold', { path: 'b' });
  const { submitted } = await ask(stage, coordinator, 'cp a b');
  expect((await approve(stage, coordinator, first)).kind).toBe('granted');
  await stage.settle();
  expect((await approve(stage, coordinator, submitted)).kind).toBe('granted');
  await stage.settle();
  expect(submitted.status).toBe('queued');
  stage.tools.letGo(first.commandId);
  await stage.settle();
  expect(stage.requests).toEqual([]);
  expect((await stage.record(submitted.commandId)).approval).toMatchObject({
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
  const stage = createStage();
  for (const one of ['dist/deep/old.js', 'src/a.log', 'a.txt', 'tool.sh']) await writeTo(stage, one, 'one\n');
  const coordinator = await stage.start();
  const { submitted } = await ask(stage, coordinator, line);
  await writeTo(stage, path, 'two\n');
  expect(await approve(stage, coordinator, submitted)).toMatchObject({ kind: 'files-changed', paths });
});

test.for([
  ['rm src/*.log', 'src/a.ts'],
  ['rm -rf dist', 'src/a.ts'],
  ['cp -r src out', 'src/a.ts'],
] as const)('“%s” is not bound to %s', async ([line, path]) => {
  const stage = createStage();
  for (const one of ['dist/a.js', 'src/a.log', 'src/a.ts']) await writeTo(stage, one, 'one\n');
  const coordinator = await stage.start();
  const { submitted } = await ask(stage, coordinator, line);
  await writeTo(stage, path, 'two\n');
  expect((await approve(stage, coordinator, submitted)).kind).toBe('granted');
});

test('what can’t be bound is named: writes that nobody knows, folders too large, names outside', async () => {
  const stage = createStage();
  for (let n = 0; n < 501; n++) await writeTo(stage, `big/${n}`, 'x');
  await writeTo(stage, 'large.bin', 'a'.repeat(1024 * 1024 + 1));
  const coordinator = await stage.start();
  const unboundOf = async (line: string) => (await ask(stage, coordinator, line)).record.approval?.base;
  expect((await unboundOf('bash deploy.sh'))?.unbound).toEqual([
    'what it writes is known only after it has run',
    'code of the workspace that it runs',
  ]);
  expect(await unboundOf('rm -rf big')).toEqual({ files: [], unbound: ['big: more than 500 names'] });
  expect((await unboundOf('cp large.bin small.bin'))?.files).toEqual([
    { path: 'large.bin', state: expect.stringMatching(/^file, 1048577 bytes, changed \d+$/) },
    { path: 'small.bin', state: 'absent' },
  ]);
});

test('who still looks at the question of before the change is told that it is another one now', async () => {
  const stage = createStage();
  await writeTo(stage, 'deploy.sh', 'echo one\n');
  const coordinator = await stage.start();
  const { submitted, record } = await ask(stage, coordinator, 'bash deploy.sh');
  await writeTo(stage, 'deploy.sh', 'echo two\n');
  await approve(stage, coordinator, submitted);
  const seen = record.approval?.callHash;
  if (seen === undefined) throw new Error('nothing asked');
  const { approvals } = coordinator;
  expect(await approvals.answer(submitted.commandId, { kind: 'approve' }, BEN, seen)).toMatchObject({
    kind: 'changed',
  });
  await writeTo(stage, 'deploy.sh', 'echo one\n');
  expect(await approve(stage, coordinator, submitted)).toMatchObject({ kind: 'files-changed' });
  expect(await approvals.answer(submitted.commandId, { kind: 'approve' }, BEN, seen)).toMatchObject({
    kind: 'granted',
  });
});

test('a file of a changed call that changes after it was shown makes nothing of the yes', async () => {
  const stage = createStage();
  await writeTo(stage, 'b.sh', 'echo one\n');
  const coordinator = await stage.start();
  const { submitted, record } = await ask(stage, coordinator, 'touch a');
  const { approvals } = coordinator;
  const args = { line: 'bash b.sh' };
  const modify = async (judged: Awaited<ReturnType<typeof approvals.judge>>) => {
    const answer = { kind: 'modify', args, shown: questionOf(judged) } as const;
    return approvals.answer(submitted.commandId, answer, ANA, questionOf(record));
  };
  const first = await approvals.judge(submitted.commandId, args);
  await writeTo(stage, 'b.sh', 'echo two\n');
  expect((await modify(first)).kind).toBe('changed');
  expect(submitted.status).toBe('pending');
  expect((await modify(await approvals.judge(submitted.commandId, args))).kind).toBe('granted');
});

test('a secret in a name is redacted in the question, and the name still binds', async () => {
  const stage = createStage();
  const coordinator = await stage.start();
  const { submitted, record } = await ask(stage, coordinator, 'touch hunter2-hunter2.txt');
  expect(JSON.stringify(record.approval)).not.toContain('hunter2-hunter2');
  await writeTo(stage, 'hunter2-hunter2.txt', 'one\n');
  const answer = await approve(stage, coordinator, submitted);
  expect(answer.kind).toBe('files-changed');
  expect(JSON.stringify(await stage.told('approval_requested'))).not.toContain('hunter2-hunter2');
});

test('files of before a restart still bind the answer', async () => {
  const stage = createStage();
  await writeTo(stage, 'deploy.sh', 'echo one\n');
  const { submitted } = await ask(stage, await stage.start(), 'bash deploy.sh');
  stage.kill();
  await writeTo(stage, 'deploy.sh', 'echo two\n');
  const coordinator = await stage.start();
  expect(await approve(stage, coordinator, submitted)).toMatchObject({
    kind: 'files-changed',
    paths: ['deploy.sh'],
  });
});

test('when what it would touch can’t be read nothing is granted, and the question stays open', async () => {
  const stage = createStage();
  const coordinator = await stage.start({
    files: {
      ...stage.files,
      stat: () => (isBroken ? Promise.reject(new Error('I/O error')) : Promise.resolve(null)),
    },
  });
  let isBroken = false;
  const { submitted } = await ask(stage, coordinator, 'touch a');
  isBroken = true;
  await expect(approve(stage, coordinator, submitted)).rejects.toThrow('I/O error');
  expect(submitted.status).toBe('pending');
  isBroken = false;
  expect((await approve(stage, coordinator, submitted)).kind).toBe('granted');
});
