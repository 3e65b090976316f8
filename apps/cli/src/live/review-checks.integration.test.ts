import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../testing/open-test-runtime.ts';
import { reviewIn } from './testing/review-in.ts';

test('the review shows how the last test run ended, and whether it is older than a change', async () => {
  const settings = { approval: { approval_mode: 'allow_all' }, tests: 'test -e b.txt' };
  await using own = await openTestRuntime({ settings });
  const run = (tool: string, args: Record<string, unknown>) => own.submit('openai', tool, { args }).result;
  await run('bash', { line: 'echo one > a.txt' });
  await run('run_tests', {});
  expect((await reviewIn(own.workspace, 'q')).talk).toMatch(/✗ run_tests failed: exit 1 {3}/);
  await run('bash', { line: 'echo one > b.txt' });
  expect((await reviewIn(own.workspace, 'q')).talk).toMatch(
    /! run_tests failed: exit 1, before the last change/,
  );
  await run('run_tests', {});
  expect((await reviewIn(own.workspace, 'q')).talk).toMatch(/✓ run_tests passed {3}/);
});

test('a test run older than an edit by hand is not shown as passed, even if no command touched that file', async () => {
  const settings = {
    approval: { approval_mode: 'allow_all' },
    tests: 'mkdir -p cache out; date > cache/x; echo same > out/report',
  };
  const files = { '.gitignore': 'cache/\n.signalbox/\n', 'mine.txt': 'old\n' };
  await using own = await openTestRuntime({ settings, files });
  const at = (path: string): string => join(own.workspace, path);
  let runs = 0;
  // From several providers: one that repeats the same call is stopped.
  const runTests = () => own.submit(`provider-${(runs += 1)}`, 'run_tests', { args: {} }).result;
  const check = async (): Promise<string | undefined> =>
    /. run_tests .*/.exec((await reviewIn(own.workspace, 'q')).talk)?.[0];
  await own.submit('openai', 'bash', { args: { line: 'echo one > a.txt; echo one > gone.txt' } }).result;
  writeFileSync(at('mine.txt'), 'before the tests\n');
  await runTests();
  // Caches and files that the tests created are not edits.
  mkdirSync(at('cache/later'), { recursive: true });
  writeFileSync(at('cache/later/y'), 'y\n');
  expect(await check()).toMatch(/^✓ run_tests passed {3}/);
  for (const edit of [
    () => writeFileSync(at('a.txt'), 'mine\n'),
    () => writeFileSync(at('mine.txt'), 'after the tests\n'),
    () => writeFileSync(at('new.txt'), 'new\n'),
    () => rmSync(at('gone.txt')),
  ]) {
    edit();
    expect(await check()).toMatch(/^! run_tests passed, before later edits by hand {3}/);
    await runTests();
    expect(await check()).toMatch(/^✓ run_tests passed {3}/);
  }
});

test('an --until line counts as a check only if it reads the workspace', async () => {
  await using own = await openTestRuntime({ settings: { approval: { approval_mode: 'allow_all' } } });
  const verify = (line: string) =>
    own.submit('you', 'bash', { args: { line }, context: { phase: 'verifier' } }).result;
  await own.submit('openai', 'bash', { args: { line: 'echo "exit 0" > check.sh' } }).result;
  for (const line of ['true', 'sh check.sh', 'grep -q exit check.sh']) await verify(line);
  const { talk } = await reviewIn(own.workspace, 'q');
  expect(talk).toMatch(/✓ bash grep -q exit check\.sh passed(.|\n)*✓ bash sh check\.sh passed/);
  expect(talk).not.toContain('bash true');
});
