import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const CLI = fileURLToPath(new URL('..', import.meta.url));
const BUILT = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const PAIRS = 31;

function timeOf(argv: readonly string[]): number {
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, argv, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}`);
  return performance.now() - startedAt;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

test('the built program shows its help in at most twice the time that Node.js needs to start', () => {
  if (!existsSync(BUILT)) spawnSync('rolldown', ['-c'], { cwd: CLI, stdio: 'inherit' });
  const pairs = Array.from({ length: PAIRS }, () => ({
    node: timeOf(['-e', '0']),
    help: timeOf([BUILT, '--help']),
  }));
  const ratio = median(pairs.map(({ node, help }) => help / node));
  console.log(
    `node -e 0: ${median(pairs.map(({ node }) => node)).toFixed(0)} ms, ` +
      `signalbox --help: ${median(pairs.map(({ help }) => help)).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  );
  expect(ratio).toBeLessThan(2);
}, 60_000);
