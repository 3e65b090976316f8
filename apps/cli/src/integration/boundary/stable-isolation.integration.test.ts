import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

/** Reads a file until it has been edited. */
const TESTS = 'bash -c "until grep -q edited src/a.txt; do sleep 0.05; done; echo out > report.txt"';

test('tests with a stable tree report which files were changed by hand meanwhile (F-W9)', async () => {
  const settings = { isolation: 'stable', tests: TESTS } as const;
  await using own = await openTestRuntime({ files: { 'src/a.txt': 'first\n', 'b.txt': '' }, settings });
  const runs = own.submit('openai', 'run_tests', { args: {} });
  await own.event('command_started', ({ commandId }) => commandId === runs.commandId);
  writeFileSync(join(own.workspace, 'src/a.txt'), 'edited\n');
  const result = await runs.result;
  expect(result.changedUnderneath).toEqual(['src/a.txt']);
  expect(result.content).toContain('others changed files it may have read: src/a.txt');

  const still = await own.call('openai', 'run_tests', {});
  expect([still.success, still.changedUnderneath]).toEqual([true, undefined]);
});

test('another provider writes while tests run, and their result says so; with isolation: stable it waits (setting: isolation)', async () => {
  const tests = 'bash -c "until grep -q go src/go.txt; do sleep 0.05; done"';
  const files = { 'src/go.txt': '', 'src/a.txt': 'first\n' };
  await using free = await openTestRuntime({ files, settings: { tests } });
  const runs = free.submit('openai', 'run_tests', { args: {} });
  await free.event('command_started', ({ commandId }) => commandId === runs.commandId);
  const write = { path: 'src/b.txt', content: 'new\n' };
  expect((await free.call('anthropic', 'write_file', write)).success).toBe(true);
  writeFileSync(join(free.workspace, 'src/go.txt'), 'go\n');
  const result = await runs.result;
  expect([result.success, result.changedUnderneath]).toEqual([true, ['src/b.txt']]);

  await using still = await openTestRuntime({ files, settings: { tests, isolation: 'stable' } });
  const holds = still.submit('openai', 'run_tests', { args: {} });
  await still.event('command_started', ({ commandId }) => commandId === holds.commandId);
  const waits = still.submit('anthropic', 'write_file', { args: write });
  const queued = await still.event('command_queued', ({ commandId }) => commandId === waits.commandId);
  expect(queued.blockers).toEqual([holds.commandId]);
  writeFileSync(join(still.workspace, 'src/go.txt'), 'go\n');
  expect((await waits.result).success).toBe(true);
});
