import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestHouse } from './testing/open-test-house.ts';

/** Reads a file until somebody has edited it. */
const TESTS = 'bash -c "until grep -q edited src/a.txt; do sleep 0.05; done; echo out > report.txt"';

test('tests that were promised a still tree say which files somebody changed by hand meanwhile (F-W9)', async () => {
  const settings = { isolation: 'stable', tests: TESTS } as const;
  await using own = await openTestHouse({ files: { 'src/a.txt': 'first\n', 'b.txt': '' }, settings });
  const runs = own.submit('openai', 'run_tests', {});
  await own.event('command_started', ({ commandId }) => commandId === runs.commandId);
  writeFileSync(join(own.workspace, 'src/a.txt'), 'edited\n');
  const result = await runs.result;
  expect(result.changedUnderneath).toEqual(['src/a.txt']);
  expect(result.content).toContain('others changed files that it may have read: src/a.txt');

  const still = await own.call('openai', 'run_tests', {});
  expect([still.success, still.changedUnderneath]).toEqual([true, undefined]);
});
