import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyAudit } from '@signalbox/coordinator';
import type { CommandId } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

/** Transactions are the default. */
const TRANSACTIONAL = {
  approval: { approval_mode: 'allow_all' },
  tools: { shell: { on_conflict: 'conflict' } },
} as const;

/** Effects only possible in a script: its writes are unforeseeable. */
const SCRIPTS = {
  'one.sh':
    'echo ready; until ls signals | grep -qx one; do sleep 0.02; done; echo one >> log.txt; echo 1 > one.txt',
  'two.sh': 'echo two >> log.txt; echo 2 > two.txt',
  'signals/begin': '',
};
/** It sees the workspace as of its start, a moment after it was requested. */
const hasBegun = (own: TestRuntime, id: CommandId): Promise<unknown> =>
  own.event('command_output', ({ commandId }) => commandId === id);
const letGo = (own: TestRuntime, name: string): void =>
  writeFileSync(join(own.workspace, 'signals', name), '');

test('result and audit log list the files that a shell line changed (G6, H5, S000-30)', async () => {
  await using own = await openTestRuntime({
    settings: TRANSACTIONAL,
    files: { 'a.txt': 'a\n', 'old.txt': 'o\n' },
  });
  const done = await own.call('openai', 'bash', { line: 'echo b > a.txt; rm old.txt; echo n > new.txt' });
  expect(done).toMatchObject({
    success: true,
    isolation: { layer: 'overlay', tracking: { strength: 'enforced' } },
    files: [
      { path: 'a.txt', kind: 'modified' },
      { path: 'new.txt', kind: 'created' },
      { path: 'old.txt', kind: 'deleted' },
    ],
  });
  expect(own.read('a.txt')).toBe('b\n');
  const audit = join(own.workspace, '.signalbox', 'audit.jsonl');
  expect(await verifyAudit(audit)).toMatchObject({ problems: [] });
  expect(own.read('.signalbox/audit.jsonl')).toContain('"path":"old.txt"');
});

test('files written by a session’s shell line don’t count as read', async () => {
  await using own = await openTestRuntime({ settings: TRANSACTIONAL, files: { 'a.txt': 'a\n' } });
  await own.call('openai', 'read_file', { path: 'a.txt' });
  await own.call('openai', 'bash', { line: 'echo b > a.txt' });
  const stale = await own.call('openai', 'write_file', { path: 'a.txt', content: 'c\n' });
  expect(stale.outcome.kind).toBe('conflict');
  expect(own.read('a.txt')).toBe('b\n');
});

test('a file changed by a person while a shell line ran is a conflict, and is not overwritten', async () => {
  await using own = await openTestRuntime({ settings: TRANSACTIONAL, files: { 'a.txt': 'a\n' } });
  const handle = own.submit('openai', 'bash', {
    args: {
      line: 'echo ready; sleep 1; echo mine > a.txt; echo m > b.txt',
    },
  });
  await own.event('command_output', ({ commandId }) => commandId === handle.commandId);
  writeFileSync(join(own.workspace, 'a.txt'), 'by hand\n');
  const done = await handle.result;
  expect(done).toMatchObject({
    outcome: { kind: 'conflict' },
    failure: { code: 'commit-conflict' },
    files: [],
  });
  expect(done.content).toContain('a.txt: the command left version');
  expect(done.content).toContain('stdout:\nready');
  expect(own.read('a.txt')).toBe('by hand\n');
  expect(() => own.read('b.txt')).toThrow('ENOENT');
});

test('a shell line that fails with a roll-back code keeps nothing, and says so (S001-103)', async () => {
  const shell = { auto_rollback: true, auto_rollback_exit_codes: [7] };
  await using own = await openTestRuntime({ settings: { ...TRANSACTIONAL, tools: { shell } } });
  const done = await own.call('openai', 'bash', { line: 'echo x > a.txt; exit 7' });
  expect(done.content).toContain('its file changes were discarded');
  expect(() => own.read('a.txt')).toThrow('ENOENT');
});

describe('a shell line with unforeseeable writes', () => {
  test('blocks no command, and conflicts with a command that wrote the same file meanwhile', async () => {
    await using own = await openTestRuntime({ settings: TRANSACTIONAL, files: SCRIPTS });
    const first = own.submit('openai', 'bash', { args: { line: 'sh one.sh' } });
    const started = await own.event('command_started', ({ commandId }) => commandId === first.commandId);
    expect(started.claims.filter(({ access }) => access === 'write')).toEqual([]);
    await hasBegun(own, first.commandId);
    expect((await own.call('anthropic', 'bash', { line: 'sh two.sh' })).success).toBe(true);
    letGo(own, 'one');
    const done = await first.result;
    expect(done).toMatchObject({ outcome: { kind: 'conflict' }, files: [] });
    expect(done.failure?.why).toEqual([expect.stringContaining('log.txt: the command left version')]);
    expect(own.read('log.txt')).toBe('two\n');
    expect(() => own.read('one.txt')).toThrow('ENOENT');
  });

  test('runs once more with claims on what it wrote, and says so', async () => {
    const settings = { approval: TRANSACTIONAL.approval };
    await using own = await openTestRuntime({ settings, files: SCRIPTS });
    const first = own.submit('openai', 'bash', { args: { line: 'sh one.sh' } });
    await hasBegun(own, first.commandId);
    await own.call('anthropic', 'bash', { line: 'sh two.sh' });
    letGo(own, 'one');
    const done = await first.result;
    expect(done.outcome.kind).toBe('completed');
    expect(done.content).toContain('ran 2 times: others changed files it writes');
    expect(own.read('log.txt')).toBe('two\none\n');
    const record = await own.runtime.store.get(first.commandId);
    const written = ['path:log.txt', 'path:one.txt'].map((resource) => ({ resource, access: 'write' }));
    expect(record?.claims).toEqual(expect.arrayContaining(written));
    expect(record?.claims).not.toContainEqual({ resource: 'workspace', access: 'write' });
  });

  test('waits at its end for the holder of what it wrote, and commits it when that is free', async () => {
    await using own = await openTestRuntime({ settings: TRANSACTIONAL, files: SCRIPTS });
    const holder = own.submit('openai', 'bash', {
      args: {
        line: 'until ls signals | grep -qx hold; do sleep 0.02; done; true > log.txt && rm log.txt',
      },
    });
    await own.event('command_started', ({ commandId }) => commandId === holder.commandId);
    const second = own.submit('anthropic', 'bash', { args: { line: 'sh two.sh' } });
    await own.event('command_started', ({ commandId }) => commandId === second.commandId);
    await expect
      .poll(async () => (await own.runtime.coordinator.queue()).waiting)
      .toMatchObject([
        {
          commandId: second.commandId,
          blockers: [holder.commandId],
          claims: [
            { resource: 'path:log.txt', access: 'write' },
            { resource: 'path:two.txt', access: 'write' },
          ],
        },
      ]);
    expect(() => own.read('two.txt')).toThrow('ENOENT');
    letGo(own, 'hold');
    expect((await second.result).success).toBe(true);
    expect(own.read('log.txt')).toBe('two\n');
    const token = (await own.runtime.store.get(second.commandId))?.lease?.fencingToken;
    expect(own.auditLines().find((line) => line['command_id'] === second.commandId)).toMatchObject({
      fencing_token: token,
    });
  });

  test('can be cancelled while it waits at its end, and commits nothing', async () => {
    await using own = await openTestRuntime({ settings: TRANSACTIONAL, files: SCRIPTS });
    const line = 'until ls signals | grep -qx hold; do sleep 0.02; done; echo x >> log.txt';
    const holder = own.submit('openai', 'bash', { args: { line } });
    await own.event('command_started', ({ commandId }) => commandId === holder.commandId);
    const second = own.submit('anthropic', 'bash', { args: { line: 'sh two.sh' } });
    await expect.poll(async () => (await own.runtime.coordinator.queue()).waiting.length).toBe(1);
    await own.runtime.coordinator.cancel(second.commandId, { by: 'ana' });
    expect((await second.result).outcome.kind).toBe('cancelled');
    letGo(own, 'hold');
    expect((await holder.result).success).toBe(true);
    expect(own.read('log.txt')).toBe('x\n');
    expect(() => own.read('two.txt')).toThrow('ENOENT');
  });

  test('is told what others changed while it ran', async () => {
    await using own = await openTestRuntime({ settings: TRANSACTIONAL, files: SCRIPTS });
    const first = own.submit('openai', 'bash', { args: { line: 'sh one.sh' } });
    await hasBegun(own, first.commandId);
    await own.call('anthropic', 'write_file', { path: 'src/other.ts', content: 'x\n' });
    letGo(own, 'one');
    const done = await first.result;
    expect(done).toMatchObject({ success: true, changedUnderneath: ['src/other.ts'] });
    expect(done.content).toContain('others changed files it may have read: src/other.ts');
  });

  test('is judged by what it really wrote, even after approval', async () => {
    const settings = { ...TRANSACTIONAL, rules: [{ id: 'not-two', deny: { path: 'two.txt' } }] };
    await using own = await openTestRuntime({ settings, files: SCRIPTS });
    const approved = async (line: string) => {
      const asked = own.submit('openai', 'bash', { args: { line } });
      const question = await own.event('approval_requested', (event) => event.commandId === asked.commandId);
      const { approvals } = own.runtime.coordinator;
      const ana = { name: 'ana', channel: 'test' } as const;
      await approvals.answer(asked.commandId, { kind: 'approve' }, { by: ana, expect: question.callHash });
      return asked.result;
    };
    const refused = await approved('touch a.txt; sh two.sh');
    expect(refused.failure).toMatchObject({
      code: 'commit-refused',
      why: [expect.stringMatching(/^two\.txt: .*rule "not-two"/)],
    });
    expect(() => own.read('a.txt')).toThrow('ENOENT');
    letGo(own, 'one');
    expect((await approved('sh one.sh')).success).toBe(true);
    expect(own.read('one.txt')).toBe('1\n');
  });
});

test('a reversible warning runs without approval; leaving the workspace still needs it (unless_reversible)', async () => {
  await using own = await openTestRuntime({ files: { 'a.txt': 'a\n', 'some-tool': '', ...SCRIPTS } });
  const ruled = async (line: string) => {
    const submitted = own.submit('openai', 'bash', { args: { line } });
    const status = await submitted.resting;
    if (status === 'pending') await own.runtime.coordinator.cancel(submitted.commandId, { by: 'test' });
    else await submitted.result;
    return (await own.runtime.store.get(submitted.commandId))?.ruling;
  };
  expect(await ruled('echo b > a.txt')).toMatchObject({ kind: 'allow', rule: 'reversible-auto' });
  expect(await ruled('npm install left-pad')).toMatchObject({ kind: 'ask' });
  expect(await ruled('./some-tool | cat')).toMatchObject({
    kind: 'ask',
    rule: 'unknown-program-asks',
  });
  expect(await ruled('rm -rf signals')).toMatchObject({ kind: 'ask', rule: 'dangerous-asks' });
});

test('without transactions the same warning needs approval, and unknown writes hold the workspace', async () => {
  const settings = { tools: { shell: { transactional: false } } };
  await using own = await openTestRuntime({ settings, files: SCRIPTS });
  const asked = own.submit('openai', 'bash', { args: { line: 'sh two.sh' } });
  expect(await asked.resting).toBe('pending');
  expect((await own.runtime.store.get(asked.commandId))?.claims).toContainEqual({
    resource: 'workspace',
    access: 'write',
  });
});

test('a roll-back has an event, and a word in the audit line (S001-107)', async () => {
  const shell = { auto_rollback: true, auto_rollback_exit_codes: [7] };
  await using own = await openTestRuntime({ settings: { ...TRANSACTIONAL, tools: { shell } } });
  await own.call('openai', 'bash', { line: 'echo x > a.txt; exit 7' });
  expect(await own.event('command_rolled_back')).toMatchObject({ how: 'rolled_back', exitCode: 7 });
  expect(own.auditLines().at(-1)).toMatchObject({ rollback: 'rolled_back', exit_code: 7, files: [] });
});
