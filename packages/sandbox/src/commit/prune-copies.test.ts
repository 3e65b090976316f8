import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pruneCopies } from './prune-copies.ts';

const DAY = 24 * 3_600_000;

function setUp() {
  const state = mkdtempSync(join(tmpdir(), 'let-go-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  const commits = join(state, 'commits');
  for (let n = 0; n < 300; n++) {
    const folder = join(commits, `cmd_${n}.1`);
    mkdirSync(join(folder, 'originals'), { recursive: true });
    writeFileSync(join(folder, 'originals', '0'), 'x');
    writeFileSync(join(folder, 'done.json'), '');
  }
  return { state, commits };
}

test('many small commits are kept: age and size count, not their number (U-B7, S001-108)', async () => {
  const { state, commits } = setUp();
  await pruneCopies(commits);
  expect(readdirSync(commits).length).toBe(300);
  expect(existsSync(join(state, 'commits-let-go'))).toBe(false);
});

test('commits over the age limit are dropped except for the last 200, and that is recorded', async () => {
  const { state, commits } = setUp();
  await pruneCopies(commits, { maxAgeMs: -DAY, maxBytes: Infinity });
  expect(readdirSync(commits).length).toBe(200);
  expect(existsSync(join(state, 'commits-let-go'))).toBe(true);
});

test('commits over the size limit are dropped, oldest first', async () => {
  const { commits } = setUp();
  const doneAt = (name: string): number => statSync(join(commits, name, 'done.json')).ctimeMs;
  const before = readdirSync(commits).map((name) => [name, doneAt(name)] as const);
  // Four blocks each: a folder, a folder in it and two files.
  await pruneCopies(commits, { maxAgeMs: DAY, maxBytes: 10 * 4 * 4096 });
  expect(readdirSync(commits).length).toBe(10);
  const kept = new Set(readdirSync(commits));
  const oldest = Math.min(...[...kept].map(doneAt));
  const droppedAt = before.flatMap(([name, at]) => (kept.has(name) ? [] : [at]));
  // Many are done within one kernel tick.
  expect(Math.max(...droppedAt)).toBeLessThanOrEqual(oldest);
});
