import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;
const FILES = { 'a.txt': 'one\n', 'src/.keep': '' };

test('a program that answers by its exit code did not fail: the model reads the code and no error (S001-D9)', async () => {
  await using own = await openTestRuntime({ files: FILES });
  const none = await own.call('openai', 'bash', { line: 'cd src && grep -n two ../a.txt' });
  expect(none).toMatchObject({ success: true, exitCode: 1, outcome: { kind: 'completed' } });
  expect(none.content).toBe('exit code: 1');
  expect(own.auditLines().at(-1)).toMatchObject({ result: 'completed', exit_code: 1 });

  const wrong = await own.call('openai', 'bash', { line: 'grep -n two nowhere.txt' });
  expect(wrong).toMatchObject({ exitCode: 2, outcome: { kind: 'failed' } });
  const elsewhere = await own.call('openai', 'bash', { line: 'cd nowhere && grep -n two a.txt' });
  expect(elsewhere).toMatchObject({ exitCode: 1, outcome: { kind: 'failed' } });
});

test("a workspace's tests and linter answer by their exit code, whatever program they are (S001-D9) (setting: tests, lint)", async () => {
  const lines = { tests: './tests.sh', lint: 'sh -c "exit 5"' };
  const script = '#!/bin/sh\necho 1 test failed\nexit 4\n';
  await using own = await openTestRuntime({ settings: { ...FREE, ...lines }, files: { 'tests.sh': script } });
  const asked = await own.call('openai', 'bash', { line: 'chmod +x tests.sh' });
  expect(asked.success).toBe(true);
  const tests = await own.call('openai', 'run_tests', {});
  expect(tests).toMatchObject({ exitCode: 4, outcome: { kind: 'completed' } });
  expect(tests.content).toBe('exit code: 4\nstdout:\n1 test failed');
  expect(await own.call('openai', 'run_linter', {})).toMatchObject({ exitCode: 5, success: true });
  // Another shell line with the same program may be anything.
  expect(await own.call('openai', 'bash', { line: './tests.sh' })).toMatchObject({ success: false });
});

test('auto_rollback reverts failed commands, and keeps what a linter repaired before it exited with 1 (S001-D9)', async () => {
  const shell = { auto_rollback: true, auto_rollback_exit_codes: [1] };
  await using own = await openTestRuntime({ settings: { ...FREE, tools: { shell } }, files: FILES });
  await own.call('openai', 'bash', { line: 'echo fixed > a.txt; grep -q two a.txt' });
  expect(own.read('a.txt')).toBe('fixed\n');
  await own.call('openai', 'bash', { line: 'echo broken > a.txt; exit 1' });
  expect(own.read('a.txt')).toBe('fixed\n');
});

test('exec exits with the code of such a program, and prints no more (S001-D9)', async () => {
  const terminal = createTestTerminal(ownWorkspace(FILES));
  const { exit, talk } = await terminal.signalbox('exec', '--', 'grep two a.txt');
  expect(exit).toBe(1);
  expect(talk).not.toMatch(/fail|error/i);
});
