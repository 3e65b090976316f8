import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import type { ExecutorOptions } from '../executor-options.ts';
import { createHarness } from '../testing/sandbox-harness.ts';
import { systemClock } from '../testing/system-clock.ts';
import { prepareState } from '../state-folder.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import { createStarter } from './starter.ts';

const ROUNDS = 40;
const MORE_BYTES = 200 * 1024 ** 2;
const PAGE_BYTES = 4096;
const TRUE = ['/bin/bash', '--noprofile', '--norc', '-c', 'true'] as const;

type Times = { readonly cpuMs: number; readonly heldUpMs: number };

/** Medians of the CPU time a start takes in our process, and of the time it blocks us. */
async function timesOf(start: () => Promise<() => Promise<unknown>>): Promise<Times> {
  const cpu: number[] = [];
  const heldUp: number[] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const [usedBefore, startedAt] = [process.cpuUsage(), performance.now()];
    const starting = start();
    const heldUpMs = performance.now() - startedAt;
    const ended = await starting;
    const used = process.cpuUsage(usedBefore);
    await ended();
    if (round < 0) continue;
    heldUp.push(heldUpMs);
    cpu.push((used.user + used.system) / 1000);
  }
  return { cpuMs: median(cpu), heldUpMs: median(heldUp) };
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

test('a start by the starter does not block us longer when we are 200 MB larger', async () => {
  const harness = createHarness();
  onTestFinished(harness.close);
  const options = {
    ...(JSON.parse(harness.optionsJson) as Omit<ExecutorOptions, 'clock'>),
    clock: systemClock,
  };
  const starter = createStarter({
    folder: options.stateFolder,
    ...prepareState(options),
    supervisor: createSupervisor(),
  });
  const ways = {
    async starter() {
      const { process: started, pipes, known } = starter.start(TRUE);
      pipes.status.resume();
      await known;
      pipes.orders.write('go\n');
      return () => started.ended;
    },
    async spawn() {
      const child = spawn(TRUE[0], TRUE.slice(1), { stdio: 'ignore', env: {} });
      const ended = once(child, 'exit');
      return () => ended;
    },
  };
  const measure = async () => ({
    mebibytes: process.memoryUsage().rss / 1024 ** 2,
    starter: await timesOf(ways.starter),
    spawn: await timesOf(ways.spawn),
  });
  const small = await measure();
  const pages = Array.from({ length: MORE_BYTES / PAGE_BYTES }, () => Buffer.alloc(PAGE_BYTES, 1));
  const large = await measure();
  for (const { mebibytes, ...found } of [small, large]) {
    for (const [name, { cpuMs, heldUpMs }] of Object.entries(found)) {
      console.log(
        `${mebibytes.toFixed(0)} MiB, ${name}: held up ${heldUpMs.toFixed(2)} ms, ${cpuMs.toFixed(2)} ms of processor time`,
      );
    }
  }
  expect(pages.length).toBeGreaterThan(0);
  expect(large.starter.heldUpMs / small.starter.heldUpMs).toBeLessThan(2);
  expect(large.starter.heldUpMs).toBeLessThan(large.spawn.heldUpMs);
}, 120_000);
