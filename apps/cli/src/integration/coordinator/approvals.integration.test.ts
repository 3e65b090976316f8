import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CallHash, CommandRecord } from '@signalbox/core';
import { expect, test } from 'vitest';
import { questionHash } from '../../runtime/rules/question-hash.ts';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

/** All tests here use calls that need approval. */
const ASKING = { approval: { prompt_on_warning: true } } as const;
const ANA = { name: 'ana', channel: 'test' } as const;

async function askedHash(own: TestRuntime, id: CommandRecord['id']): Promise<CallHash> {
  return (await own.event('approval_requested', ({ commandId }) => commandId === id)).callHash;
}

test('a safe call runs without approval, a dangerous one waits for a person, whatever else is switched on (E2, S001-02, S002-06, S003-03, S003-27, S003-56)', async () => {
  await using own = await openTestRuntime({ files: { 'dist/a.js': 'x' } });
  expect((await own.call('openai', 'read_file', { path: 'dist/a.js' })).content).toContain('x');
  const asked = own.submit('openai', 'bash', { args: { line: 'rm -rf dist' } });
  expect(await asked.resting).toBe('pending');
  expect(existsSync(join(own.workspace, 'dist'))).toBe(true);
  const answer = await own.runtime.coordinator.approvals.answer(
    asked.commandId,
    { kind: 'approve' },
    { by: ANA, expect: await askedHash(own, asked.commandId) },
  );
  expect(answer.kind).toBe('granted');
  expect((await asked.result).outcome.kind).toBe('completed');
  expect(existsSync(join(own.workspace, 'dist'))).toBe(false);
  expect(own.auditLines().at(-1)).toMatchObject({
    approved_by: 'ana',
    result: 'completed',
    level: 'dangerous',
  });
});

test('a program outside the workspace needs approval, which a person can give', async () => {
  await using own = await openTestRuntime();
  for (const line of ['/opt/nope/x', '/root/x.sh']) {
    const asked = own.submit('openai', 'bash', { args: { line } });
    expect([line, await asked.resting]).toEqual([line, 'pending']);
  }
});

test('the first answer counts, and an answer to another call is not accepted', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const asked = own.submit('openai', 'bash', { args: { line: 'touch a' } });
  const hash = await askedHash(own, asked.commandId);
  const { approvals } = own.runtime.coordinator;
  const other = 'f'.repeat(64) as CallHash;
  expect(await approvals.answer(asked.commandId, { kind: 'approve' }, { by: ANA, expect: other })).toEqual({
    kind: 'changed',
    callHash: hash,
  });
  const answers = await Promise.all([
    approvals.answer(asked.commandId, { kind: 'deny', reason: 'not now' }, { by: ANA, expect: hash }),
    approvals.answer(asked.commandId, { kind: 'approve' }, { by: { ...ANA, name: 'ben' }, expect: hash }),
  ]);
  expect(answers.map(({ kind }) => kind)).toEqual(['refused', 'already-decided']);
  const result = await asked.result;
  expect(result).toMatchObject({ outcome: { kind: 'denied' }, success: false });
  expect(result.content).toContain('not now');
  expect(existsSync(join(own.workspace, 'a'))).toBe(false);
});

test('a changed call is judged again: the changed one runs, a blocked one can’t be approved', async () => {
  await using own = await openTestRuntime({ settings: ASKING });
  const asked = own.submit('openai', 'bash', { args: { line: 'touch a' } });
  const hash = await askedHash(own, asked.commandId);
  const { approvals } = own.runtime.coordinator;
  const blocked = await approvals.answer(
    asked.commandId,
    { kind: 'modify', args: { line: 'sudo touch a' }, shown: hash },
    { by: ANA, expect: hash },
  );
  expect(blocked.kind).toBe('not-approvable');
  const args = { line: 'touch b' };
  const judged = await approvals.judge(asked.commandId, args);
  if (!('id' in judged)) throw new Error(judged.message);
  const shown = questionHash(judged);
  const changed = await approvals.answer(
    asked.commandId,
    { kind: 'modify', args, shown },
    { by: ANA, expect: hash },
  );
  expect(changed.kind).toBe('granted');
  expect((await asked.result).success).toBe(true);
  expect([existsSync(join(own.workspace, 'a')), existsSync(join(own.workspace, 'b'))]).toEqual([false, true]);
});

test('an unanswered approval expires as denied', async () => {
  await using own = await openTestRuntime({ settings: { approval: { ...ASKING.approval, expiry: 20 } } });
  const result = await own.call('openai', 'bash', { line: 'touch a' });
  expect(result).toMatchObject({ outcome: { kind: 'denied', failure: { code: 'approval-expired' } } });
});

test('pending approvals survive a restart, and their answers still count (S002-23)', async () => {
  const before = await openTestRuntime({ settings: ASKING });
  const asked = before.submit('openai', 'bash', { args: { line: 'touch a' } });
  const hash = await askedHash(before, asked.commandId);
  await before.leave();
  await using after = await openTestRuntime({ workspace: before.workspace, settings: ASKING });
  const { approvals } = after.runtime.coordinator;
  expect((await approvals.pending()).map(({ id }) => id)).toEqual([asked.commandId]);
  expect((await approvals.answer(asked.commandId, { kind: 'approve' }, { by: ANA, expect: hash })).kind).toBe(
    'granted',
  );
  await after.event('command_completed', ({ commandId }) => commandId === asked.commandId);
  expect(existsSync(join(after.workspace, 'a'))).toBe(true);
});
