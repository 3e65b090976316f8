import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readRecord } from './runtime/server/coordinator-record.ts';

const CLI = fileURLToPath(new URL('..', import.meta.url));
const BUILT = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const PAIRS = 31;
const STARTS = 9;

function timeOf(argv: readonly string[], cwd = CLI): number {
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, argv, { stdio: 'ignore', cwd });
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}`);
  return performance.now() - startedAt;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function build(): void {
  if (!existsSync(BUILT)) spawnSync('rolldown', ['-c'], { cwd: CLI, stdio: 'inherit' });
}

/** By pairs, since the load of a machine varies. */
function ratioToNode(argv: readonly string[], cwd?: string): number {
  build();
  const pairs = Array.from({ length: PAIRS }, () => ({
    node: timeOf(['-e', '0']),
    ours: timeOf([BUILT, ...argv], cwd),
  }));
  const ratio = median(pairs.map(({ node, ours }) => ours / node));
  console.log(
    `node -e 0: ${median(pairs.map(({ node }) => node)).toFixed(0)} ms, ` +
      `signalbox ${argv.join(' ')}: ${median(pairs.map(({ ours }) => ours)).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  );
  return ratio;
}

test('the built program shows its help in at most twice the start time of Node.js', () => {
  expect(ratioToNode(['--help'])).toBeLessThan(2);
}, 60_000);

test('the built program prints its version in at most 1.3 times the start time of Node.js', () => {
  expect(ratioToNode(['--version'])).toBeLessThan(1.3);
}, 60_000);

/** Node.js takes some 40 ms to start on an idle machine: this is half a second. */
const START_RATIO = 12.5;
/** Two seconds. */
const TAKEOVER_RATIO = 50;

test('a coordinator starts within 12.5 times the start time of Node.js, and a killed one is replaced within 50 times that', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'signalbox-start-'));
  const exec = (): number => timeOf([BUILT, 'exec', '--', 'true'], workspace);
  build();
  try {
    exec();
    const rounds = Array.from({ length: STARTS }, () => {
      const node = timeOf(['-e', '0']);
      const warm = exec();
      timeOf([BUILT, 'stop'], workspace);
      const cold = exec();
      process.kill(readRecord(workspace)?.pid ?? Number.NaN, 'SIGKILL');
      return { node, warm, cold, killed: exec() };
    });
    const of = (pick: (round: (typeof rounds)[number]) => number): number => median(rounds.map(pick));
    console.log(
      `exec: ${of(({ warm }) => warm).toFixed(0)} ms at a running coordinator, ` +
        `${of(({ warm, cold }) => cold - warm).toFixed(0)} ms more where one is started, ` +
        `${of(({ killed }) => killed).toFixed(0)} ms in all after kill -9; node -e 0: ${of(({ node }) => node).toFixed(0)} ms`,
    );
    expect(of(({ node, warm, cold }) => (cold - warm) / node)).toBeLessThan(START_RATIO);
    expect(of(({ node, killed }) => killed / node)).toBeLessThan(TAKEOVER_RATIO);
  } finally {
    timeOf([BUILT, 'stop'], workspace);
    rmSync(workspace, { recursive: true });
  }
}, 240_000);

test('the built program asks a running coordinator for its status in at most three and a half times the time that Node.js needs to start', () => {
  const workspace = mkdtempSync(join(tmpdir(), 'signalbox-status-'));
  try {
    timeOf([BUILT, 'exec', '--', 'true'], workspace);
    // 3.2 by processor time; half of it is loading zod and the schemas of three answers.
    expect(ratioToNode(['status'], workspace)).toBeLessThan(3.5);
  } finally {
    timeOf([BUILT, 'stop'], workspace);
    rmSync(workspace, { recursive: true });
  }
}, 120_000);
