import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantile } from '@signalbox/core';
import { execa } from 'execa';
import { build } from 'rolldown';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { FREE, judgedBy, startJudge } from './integration/gates/judge-server.ts';
import { createTestWorkspace, openTestRuntime } from './testing/open-test-runtime.ts';

const COMMANDS = 2000;
/** Of each of the rounds. */
const TIMED = 500;
const IDLE_RUNTIME = fileURLToPath(new URL('./testing/measured/idle-runtime.ts', import.meta.url));
const TIMED_RUNTIME = fileURLToPath(new URL('./testing/measured/timed-runtime.ts', import.meta.url));

function say(what: string, sorted: readonly number[]): void {
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  console.log(`${what}: p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms (${sorted.length} times)`);
}

/** Bundles a program of this package with its imports, as the program that people run. */
async function built(file: string): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-built-'));
  const output = { dir, format: 'esm', entryFileNames: '[name].js' } as const;
  await build({ input: { built: file }, platform: 'node', output, logLevel: 'silent' });
  return join(dir, 'built.js');
}

test('a read that is answered by an earlier one costs the built coordinator at most 1 ms at p50, from submit to result, and a call that runs 1.5 ms', async () => {
  const workspace = createTestWorkspace({ 'src/a.ts': 'one\n' });
  const { stdout } = await execa(process.execPath, [
    await built(TIMED_RUNTIME),
    workspace,
    `${TIMED}`,
    'src/a.ts',
  ]);
  const { echo, kept } = z.record(z.string(), z.array(z.number())).parse(JSON.parse(stdout));
  say('submit to result of echo', echo ?? []);
  say('submit to result of a kept answer', kept ?? []);
  expect(quantile(echo ?? [], 0.5)).toBeLessThan(1.5);
  expect(quantile(kept ?? [], 0.5)).toBeLessThan(1);
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
  const child = spawn(process.execPath, [await built(IDLE_RUNTIME), createTestWorkspace()], {
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
