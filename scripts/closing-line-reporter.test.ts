import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const reporter = fileURLToPath(new URL('closing-line-reporter.ts', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/.bin/vitest', import.meta.url));

const passing = `test('passes', () => {});`;

test.for([
  {
    title: 'counts what failed and what was skipped, below why an error of ours came',
    files: [
      passing,
      `test('fails', () => { throw new Error('on purpose') }); test.skip('is skipped', () => {});`,
      `test('asks', () => { throw Object.assign(new Error('cannot'), { why: ['it is away'] }) });`,
    ],
    line: 'asks: cannot: ["it is away"]\n1 skipped\n1 passed, 2 failed',
  },
  {
    title: 'counts a file that could not be loaded and an error outside of every test as failed',
    files: [
      `throw new Error('on purpose');`,
      `test('passes', () => { setTimeout(() => { throw new Error('on purpose') }, 0) });`,
    ],
    line: '1 passed, 2 failed',
  },
])('the closing line $title', ({ files, line }) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-reporter-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [index, text] of files.entries()) writeFileSync(join(folder, `${index}.test.ts`), text);

  const { status, stdout } = runTests(folder);
  const last = stdout.trim().split('\n').slice(-line.split('\n').length).join('\n');
  expect({ line: last, exitCode: status }).toEqual({ line, exitCode: 1 });
});

test('the closing line also counts tests of earlier runs with the same file of counts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-reporter-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '0.test.ts'), `${passing} test.skip('is skipped', () => {});`);

  const runs = [1, 2].map(() => runTests(folder, join(folder, 'counts')));
  expect(runs.map(({ status, stdout }) => [status, ...stdout.trim().split('\n').slice(-2)])).toEqual([
    [0, '1 skipped', '1 passed, 0 failed'],
    [0, '2 skipped', '2 passed, 0 failed'],
  ]);
});

/** @param counts file of counts; default: none, also where the run of this test has one */
function runTests(folder: string, counts?: string) {
  const args = ['run', '--root', folder, '--globals', '--reporter', reporter, '--reporter', 'default'];
  return spawnSync(vitest, args, { encoding: 'utf8', env: { ...process.env, TEST_COUNTS: counts } });
}
