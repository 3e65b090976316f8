import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportRows } from '@signalbox/api';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;
/** What real programs wrote. */
const recorded = (name: string) =>
  readFileSync(new URL(`../../../../../packages/tools/recorded/${name}.txt`, import.meta.url), 'utf8');

const NODE = {
  'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
  'cart.test.mjs': `import { test } from 'node:test';
import assert from 'node:assert';
test('adds', () => assert.equal(1 + 2, 3));
test('adds wrong', () => assert.equal(1 + 2, 4));
`,
};

/** Stands for vitest: prints for people, and writes a recorded report to the file of its option. */
function vitestThat(does: string): Readonly<Record<string, string>> {
  return {
    'package.json': JSON.stringify({ scripts: { test: 'vitest run' } }),
    'recorded.json': recorded('vitest-json'),
    'node_modules/.bin/vitest': `#!/bin/sh
for word; do case $word in --outputFile.json=*) report=\${word#*=};; esac; done
echo "reporters: $*"
${does}
`,
  };
}

async function openVitest(does: string) {
  const own = await openTestRuntime({ settings: FREE, files: vitestThat(does) });
  chmodSync(join(own.workspace, 'node_modules/.bin/vitest'), 0o755);
  return own;
}

test('run_tests reports counts and the first failures with file and line, and the tree stays as it was (M6)', async () => {
  await using own = await openTestRuntime({ settings: FREE, files: NODE });
  const ran = await own.call('openai', 'run_tests', {});
  expect(ran).toMatchObject({ exitCode: 1, outcome: { kind: 'completed' }, files: [] });
  expect(ran.report).toEqual({
    kind: 'tests',
    source: 'JUnit XML',
    passed: 1,
    failed: 1,
    skipped: 0,
    first: [{ name: 'adds wrong', message: '3 == 4', path: 'cart.test.mjs', line: 4 }],
  });
  expect(ran.content.split('\n').slice(0, 3)).toEqual([
    'exit code: 1',
    'tests: 1 failed, 1 passed (JUnit XML)',
    '- cart.test.mjs:4: adds wrong: 3 == 4',
  ]);
  // What people read is still there.
  expect(ran.stdout).toMatch(/^ℹ fail 1$/m);
});

test('the report of vitest is requested besides what it prints, and read from outside the tree (M6)', async () => {
  await using own = await openVitest('cp recorded.json "$report"; exit 1');
  const ran = await own.call('openai', 'run_tests', { targets: ['cart.test.ts'] });
  expect(ran.report).toMatchObject({ source: 'vitest JSON', failed: 2, passed: 1, skipped: 1 });
  expect(ran.stdout).toContain(
    'reporters: run --reporter=default --reporter=json --outputFile.json=/tmp/signalbox-report cart.test.ts',
  );
  expect(ran.files).toEqual([]);
});

test('bash and run_tests share one run of the same line, with its report or without (O1, M6)', async () => {
  await using own = await openVitest('sleep 1; cp recorded.json "$report"; exit 1');
  const tests = await own.call('openai', 'run_tests', {});
  const line = await own.call('anthropic', 'bash', { line: 'npm test' });
  expect(line.reusedFrom).toMatchObject({ commandId: tests.commandId });
  const again = await own.call('anthropic', 'run_tests', {});
  expect(again.report).toEqual(tests.report);
});

test.for([
  ['missing', 'exit 1', 'none was written'],
  ['a link', 'ln -s /etc/passwd "$report"; exit 1', 'it is a link'],
  ['huge', 'truncate -s 9M "$report"; exit 1', 'it is larger than 4194304 bytes'],
] as const)('a report that is %s leaves the output as it is, with a note (M6)', async ([, does, why]) => {
  await using own = await openVitest(does);
  const ran = await own.call('openai', 'run_tests', {});
  expect(ran.report).toBeUndefined();
  expect(ran.content.split('\n').slice(0, 2)).toEqual([
    'exit code: 1',
    `report: none could be read: ${why}; its output follows`,
  ]);
});

test('a torn report is none, and one that differs from the exit code is pointed out (M6)', async () => {
  await using torn = await openVitest('head -c 400 recorded.json > "$report"; exit 1');
  expect((await torn.call('openai', 'run_tests', {})).report).toBeUndefined();
  await using lying = await openVitest('cp recorded.json "$report"; exit 0');
  expect((await lying.call('openai', 'run_tests', {})).content).toContain(
    'note: the exit code is 0 although this report has failures',
  );
});

test('a failed run never has a clean report alone: what a test forged gives way to failures, or has a note (M6)', async () => {
  const forged = { ...JSON.parse(recorded('vitest-json')), numFailedTests: 0, testResults: [] } as object;
  const files = { 'forged.json': `${JSON.stringify(forged)}\n` };
  await using own = await openTestRuntime({
    settings: { ...FREE, tests: 'cat forged.json; echo " Tests  1 failed | 2 passed (3)"; exit 1' },
    files,
  });
  expect((await own.call('openai', 'run_tests', {})).report).toMatchObject({ failed: 1, passed: 2 });
  await using silent = await openTestRuntime({
    settings: { ...FREE, tests: 'cat forged.json; exit 1' },
    files,
  });
  const note = 'note: nothing failed by this report, but the exit code is 1: read the output';
  const ran = await silent.call('openai', 'run_tests', {});
  expect(ran.content).toContain(note);
  expect(reportRows(ran, 20)).toEqual([note]);
});

test('what a configured linter prints for programs is read, with secrets redacted (M6) (setting: lint)', async () => {
  const key = `ghp_${'a1B2'.repeat(9)}`;
  const text = recorded('eslint-json').replace("'x' is not defined.", `${key} is not defined.`);
  await using own = await openTestRuntime({
    settings: { ...FREE, lint: 'cat found.json; exit 1' },
    files: { 'found.json': text.replaceAll('/shop/', '') },
  });
  const ran = await own.call('openai', 'run_linter', {});
  expect(ran.report).toMatchObject({ kind: 'findings', source: 'eslint JSON', errors: 2, warnings: 1 });
  expect(ran.content).toContain('findings: 2 errors, 1 warning (eslint JSON)');
  expect(ran.content).toContain("- a.js:2: no-unused-vars: 'unused' is assigned a value but never used.");
  expect(JSON.stringify(ran)).not.toContain(key);
});

test('a failure has the category of its standard error, and says whether to try again (V2, S001-99, X-20)', async () => {
  await using own = await openTestRuntime({ settings: FREE });
  const failureOf = async (line: string) => (await own.call('openai', 'bash', { line })).failure;
  expect(await failureOf('cat nowhere; exit 3')).toMatchObject({
    category: 'PermanentFailure',
    suggestion: 'A file that it names does not exist: list its directory first',
  });
  // It ran without network: another try would end the same way.
  const offline = await own.call('openai', 'bash', { line: 'echo "connect ECONNREFUSED" >&2; exit 3' });
  expect(offline.failure).toMatchObject({ category: 'NetworkError', retryable: false });
  expect(offline.content).toContain('retryable: false');
  expect(await failureOf('echo "timed out" >&2; exit 126')).toMatchObject({ category: 'PolicyBlocked' });
});
