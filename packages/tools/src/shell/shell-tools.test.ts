import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bash } from './bash.tool.ts';
import { runLinter } from './run-linter.tool.ts';
import { runTests } from './run-tests.tool.ts';
import { aFolder } from '../testing/folder.ts';
import {
  anExecution,
  aToolContext,
  call,
  failureOf,
  outputOf,
  recordingRun,
} from '../testing/tool-context.ts';
import { quote } from './workspace-line.ts';

test('a shell line returns the four fields of the stable envelope (S001-19, S001-20, S001-24)', async () => {
  await using folder = await aFolder({ 'src/a.txt': 'x' });
  expect(await outputOf(bash, { line: 'ls; echo no >&2; exit 3', cwd: 'src' }, folder.context)).toEqual({
    stdout: 'a.txt\n',
    stderr: 'no\n',
    exit_code: 3,
    truncated: false,
  });
});

test('cut output is marked (S001-23)', async () => {
  const { run } = recordingRun(anExecution({ stdout: 'x', truncated: true }));
  expect(await outputOf(bash, { line: 'yes' }, aToolContext({ run }))).toMatchObject({ truncated: true });
});

test('the line that is judged is the line that runs', async () => {
  const { run, started } = recordingRun();
  const lines = { tests: 'node --test', lint: 'oxlint .' };
  const context = aToolContext({ run, lines });
  const bashArgs = { line: 'rm -rf dist', cwd: 'pkg' };
  await call(bash, bashArgs, context);
  await call(runTests, { targets: ["it's.ts"] }, context);
  await call(runLinter, {}, context);
  expect(started).toEqual([
    { program: { kind: 'shell', line: 'rm -rf dist' }, options: { cwd: 'pkg' } },
    { program: { kind: 'shell', line: String.raw`node --test 'it'\''s.ts'` }, options: { isCheck: true } },
    { program: { kind: 'shell', line: 'oxlint .' }, options: { isCheck: true } },
  ]);
  expect(bash.shellLine?.(bashArgs, lines)).toEqual(bashArgs);
  expect(runTests.shellLine?.({ targets: ["it's.ts"] }, lines)).toEqual({
    line: String.raw`node --test 'it'\''s.ts'`,
  });
  expect(runLinter.shellLine?.({ targets: [] }, lines)).toEqual({ line: 'oxlint .' });
});

/** Characters with and without a meaning to a shell. */
const AWKWARD = ' \'"$`\\;|&<>(){}*?~!#\n\tax=é'.split('');

test('a quoted operand reaches the program unchanged, whatever it contains', async () => {
  await using folder = await aFolder({});
  const operands = fc.sample(fc.string({ unit: fc.constantFrom(...AWKWARD), minLength: 1, maxLength: 12 }), {
    numRuns: 300,
    seed: 7,
  });
  const printed = await folder.run('bash', '-c', `printf '%s\\0' ${operands.map(quote).join(' ')}`);
  expect(printed.split('\0').slice(0, -1)).toEqual(operands);
});

test('a target that looks like an option is rejected', () => {
  expect(runTests.args.safeParse({ targets: ['--import=./evil.ts'] }).success).toBe(false);
});

test('a workspace without a test line gets a failure that says what to configure', async () => {
  for (const [tool, key] of [
    [runTests, 'tests: npm test'],
    [runLinter, 'lint: npm run lint'],
  ] as const) {
    const failure = await failureOf(call(tool, {}, aToolContext()));
    expect(failure.toFailure()).toMatchObject({ code: 'not-configured', visibility: 'visible' });
    expect(failure.suggestion).toContain(`"${key}"`);
  }
});

test('tests claim nothing themselves: the workspace is leased for them if the settings say so (X-40)', () => {
  expect(runTests.effects({ targets: [] })).toEqual([{ kind: 'repository-code' }]);
});

test('a shell line may set its timeout, up to five minutes (X-11)', () => {
  expect(bash.requestedTimeoutMs?.({ line: 'sleep 100', timeoutMs: 120_000 })).toBe(120_000);
  expect(bash.args.safeParse({ line: 'x', timeoutMs: 300_001 }).success).toBe(false);
});
