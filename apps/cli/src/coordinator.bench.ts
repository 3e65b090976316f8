import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from '@signalbox/core';
import { build } from 'rolldown';
import { expect, test } from 'vitest';
import { FREE, judgedBy, startJudge } from './integration/gates/judge-server.ts';
import { createTestWorkspace, openTestRuntime, type TestRuntime } from './testing/open-test-runtime.ts';

const COMMANDS = 2000;
const IDLE_RUNTIME = fileURLToPath(new URL('./testing/idle-runtime.ts', import.meta.url));

/** Milliseconds of each run, sorted, after a warm-up of a tenth. */
async function timesOf(count: number, run: (n: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count * 1.1; n++) {
    const startedAt = performance.now();
    await run(n);
    times.push(performance.now() - startedAt);
  }
  return times.slice(Math.round(count * 0.1)).toSorted((a, b) => a - b);
}

function say(what: string, sorted: readonly number[]): void {
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  console.log(`${what}: p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms (${sorted.length} times)`);
}

async function echo(own: TestRuntime, n: number): Promise<void> {
  const result = await own.call('openai', 'echo', { text: `hello ${n}` });
  if (!result.success) throw new Error(result.content);
}

test('a command costs the coordinator at most 1 ms at p50 and 3 ms at p99, from submit to result', async () => {
  await using own = await openTestRuntime();
  const times = await timesOf(COMMANDS, (n) => echo(own, n));
  say('submit to result of echo', times);
  expect(quantile(times, 0.5)).toBeLessThan(1);
  expect(quantile(times, 0.99)).toBeLessThan(3);
}, 60_000);

test('a read that is answered by an earlier one costs at most 1 ms at p50', async () => {
  await using own = await openTestRuntime({ files: { 'src/a.ts': 'one\n' } });
  const read = () => own.call('openai', 'read_file', { path: 'src/a.ts' });
  // A file that has just changed is not compared yet.
  while ((await read()).reusedFrom === undefined);
  const times = await timesOf(COMMANDS, read);
  say('submit to result of a kept answer', times);
  expect(quantile(times, 0.5)).toBeLessThan(1);
}, 60_000);

test('gates that ask no model decide a call in at most 0.2 ms at p50: scores, and a verdict on an equal call', async () => {
  const judge = await startJudge(() => 'ALLOW');
  const { tools, providers } = judgedBy(judge);
  await using own = await openTestRuntime({
    files: { 'src/a.ts': 'one\n' },
    settings: { ...FREE, providers, tools: { ...tools, utility: { enabled: true, mode: 'shadow' } } },
  });
  const times: Record<string, number[]> = { utility: [], adversarial: [] };
  const stop = own.runtime.events.subscribe((event) => {
    if (event.type === 'gate_decided') times[event.decision.gate]?.push(event.decision.ms);
  });
  for (let n = 0; n < COMMANDS; n++) await own.call('openai', 'read_file', { path: 'src/a.ts' });
  stop();
  expect(judge.requests).toHaveLength(1);
  for (const [gate, found] of Object.entries(times)) {
    const warm = found.slice(COMMANDS / 10).toSorted((a, b) => a - b);
    say(`decision of the ${gate} gate`, warm);
    expect(quantile(warm, 0.5)).toBeLessThan(0.2);
  }
}, 60_000);

test('an idle coordinator takes under 150 MB when built', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-idle-'));
  const output = { dir, format: 'esm', entryFileNames: '[name].js' } as const;
  await build({ input: { idle: IDLE_RUNTIME }, platform: 'node', output, logLevel: 'silent' });
  const child = spawn(process.execPath, [join(dir, 'idle.js'), createTestWorkspace()], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const megabytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  child.stdin.end();
  await once(child, 'exit');
  console.log(`idle coordinator: ${megabytes.toFixed(0)} MB resident`);
  expect(megabytes).toBeLessThan(150);
}, 60_000);
