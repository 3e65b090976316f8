import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';

const ROUNDS = 25;
const AT_ONCE = 8;

/** Far less than between two calls of a model, but long enough for a standby to be ready. */
const PAUSE_MS = 150;

const TRUE = ['/bin/bash', '--noprofile', '--norc', '-c', 'true'] as const;

/** Handwritten arguments: the machine read-only, the workspace writable, its own namespaces. */
const byHand = (workspace: string): readonly string[] =>
  [
    ['bwrap', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ['--bind', workspace, workspace, '--unshare-all', '--die-with-parent', '--new-session'],
    ['--cap-drop', 'ALL', '--', ...TRUE],
  ].flat();

async function spawned([program = '', ...args]: readonly string[]): Promise<void> {
  await once(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }), 'close');
}

/** Times of several starts at once. */
async function atOnce(way: () => Promise<unknown>): Promise<number[]> {
  const startedAt = performance.now();
  const timed = async (): Promise<number> => {
    await way();
    return performance.now() - startedAt;
  };
  return Promise.all(Array.from({ length: AT_ONCE }, timed));
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

test('with a standby, a transaction starts in at most 3 times bubblewrap and 20 ms over bash, and bind mode in 1.3 times', async () => {
  const stages: SandboxHarness[] = [];
  const harness = (transactions: 'off' | 'where-possible', standby: number): SandboxHarness => {
    const made = createHarness({ transactions, standby });
    stages.push(made);
    return made;
  };
  const [bind, overlay] = [harness('off', 2), harness('where-possible', 2)];
  const [coldBind, coldOverlay] = [harness('off', 0), harness('where-possible', 0)];
  const ways = {
    bash: () => spawned(TRUE),
    bubblewrap: () => spawned(byHand(bind.workspace)),
    bind: () => bind.run('true'),
    overlay: () => overlay.run('true'),
    'bind, no standby': () => coldBind.run('true'),
    'overlay, no standby': () => coldOverlay.run('true'),
  };
  const times = new Map<string, number[]>();
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, way] of Object.entries(ways)) {
      await pause(PAUSE_MS);
      const startedAt = performance.now();
      await way();
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), performance.now() - startedAt]);
    }
  }
  const p50 = (name: keyof typeof ways): number => median(times.get(name) ?? []);
  for (const name of Object.keys(ways) as (keyof typeof ways)[]) {
    const [ratio, more] = [p50(name) / p50('bubblewrap'), p50(name) - p50('bash')];
    console.log(
      `${name}: p50 ${p50(name).toFixed(1)} ms, ${ratio.toFixed(2)} times bubblewrap, bash + ${more.toFixed(1)} ms`,
    );
  }
  for (const made of stages) await made.close();
  expect(p50('overlay') / p50('bubblewrap')).toBeLessThan(3);
  expect(p50('overlay') - p50('bash')).toBeLessThan(20);
  expect(p50('bind') / p50('bubblewrap')).toBeLessThan(1.3);
}, 120_000);

test('of 8 simultaneous starts, a transaction takes at most 3 times bubblewrap, with or without standbys', async () => {
  const stages = [2, 0].map((standby) => createHarness({ transactions: 'where-possible', standby }));
  const [warm = createHarness(), cold = createHarness()] = stages;
  const ways = {
    bubblewrap: () => spawned(byHand(cold.workspace)),
    overlay: () => warm.run('true'),
    'overlay, no standby': () => cold.run('true'),
  };
  const times = new Map<string, number[]>();
  for (let round = -2; round < ROUNDS; round++) {
    for (const [name, way] of Object.entries(ways)) {
      await pause(3 * PAUSE_MS);
      const took = await atOnce(way);
      if (round >= 0) times.set(name, [...(times.get(name) ?? []), ...took]);
    }
  }
  const p50 = (name: keyof typeof ways): number => median(times.get(name) ?? []);
  for (const name of Object.keys(ways) as (keyof typeof ways)[]) {
    console.log(
      `8 at once, ${name}: p50 ${p50(name).toFixed(1)} ms, ${(p50(name) / p50('bubblewrap')).toFixed(2)} times bubblewrap`,
    );
  }
  for (const made of stages) await made.close();
  expect(p50('overlay') / p50('bubblewrap')).toBeLessThan(3);
  expect(p50('overlay, no standby') / p50('bubblewrap')).toBeLessThan(3);
}, 120_000);
