import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ASKS = { approval: { prompt_on_warning: true } } as const;

test('a call that can not succeed needs no approval: the model reads why (S000-38, X-06, s7)', async () => {
  const model = await startRecordedModel([
    () => [
      { tool: 'edit_file', args: { path: 'a.txt', oldText: 'x', newText: 'y' } },
      { tool: 'delete_file', args: { path: 'missing.txt' } },
      { tool: 'write_file', args: { path: 'a.txt', content: 'z\n', overwrite: false } },
    ],
    () => [{ tool: 'read_file', args: { path: 'a.txt' } }],
    () => [
      { tool: 'edit_file', args: { path: 'a.txt', oldText: 'three', newText: 'y' } },
      { tool: 'edit_file', args: { path: 'a.txt', oldText: 'one', newText: 'y' } },
    ],
  ]);
  const workspace = await workspaceOf({ local: model }, { files: { 'a.txt': 'one\none\n' }, local: ASKS });
  const { talk } = await createTestTerminal(workspace).signalbox('run', 'Change it', '--until', 'true');
  expect(talk).not.toContain('signalbox approve');
  expect(model.answersTo(1).map((answer) => /message: (.*)/.exec(answer)?.[1])).toEqual([
    'Cannot write "a.txt": it exists and you have not read it. Nothing was written',
    'Cannot change "missing.txt": there is no such file',
    'Cannot create "a.txt": it exists, and overwrite is false. Nothing was written',
  ]);
  expect(model.answersTo(3).map((answer) => /message: (.*)/.exec(answer)?.[1])).toEqual([
    'Cannot edit "a.txt": oldText does not occur in it. Nothing was written',
    'Cannot edit "a.txt": oldText occurs in it 2 times. Nothing was written',
  ]);
  const audit = readFileSync(join(workspace, '.signalbox/audit.jsonl'), 'utf8');
  expect(audit.match(/"approved_by":null/g)).toHaveLength(5);
  expect(audit.trim().split('\n')).toHaveLength(7);
});

test('a call that an earlier one of the same turn may prepare still needs approval', async () => {
  await using own = await openTestRuntime({ settings: ASKS });
  const first = own.submit('openai', 'write_file', { args: { path: 'new.txt', content: 'one\n' } });
  const second = own.submit('openai', 'edit_file', {
    args: { path: 'new.txt', oldText: 'one', newText: 'two' },
  });
  expect(await Promise.all([first.resting, second.resting])).toEqual(['pending', 'pending']);
});

test('a file change during a pending approval ends it, if the call can not succeed any more', async () => {
  await using own = await openTestRuntime({ settings: ASKS, files: { 'a.txt': 'one\n' } });
  await own.call('openai', 'read_file', { path: 'a.txt' });
  const edit = own.submit('openai', 'edit_file', { args: { path: 'a.txt', oldText: 'one', newText: 'two' } });
  expect(await edit.resting).toBe('pending');
  writeFileSync(join(own.workspace, 'a.txt'), 'three\n');
  const { callHash } = edit.record.approval ?? {};
  if (callHash === undefined) throw new Error('Nothing was asked');
  const answer = await own.runtime.coordinator.approvals.answer(
    edit.commandId,
    { kind: 'approve' },
    { by: { name: 'ana', channel: 'test' }, expect: callHash },
  );
  expect(answer).toMatchObject({ kind: 'files-changed', paths: ['a.txt'] });
  expect((await edit.result).failure).toMatchObject({ code: 'stale-write' });
  expect(await own.runtime.coordinator.approvals.pending()).toEqual([]);
  expect(own.auditLines().filter((line) => line['command_id'] === edit.commandId)).toHaveLength(1);
  expect(own.read('a.txt')).toBe('three\n');
});
