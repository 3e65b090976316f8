import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { SandboxManager } from '@anthropic-ai/sandbox-runtime';
import { expect, test } from 'vitest';
import { createHarness } from './testing/sandbox-harness.ts';

const ROUNDS = 25;
const PAUSE_MS = 150;
const NEEDED = ['bwrap', 'socat', 'rg'].map((name) => `/usr/bin/${name}`);

/** The way its own users call it: one manager; wrap a line, run it, clean up. */
async function byRuntime(): Promise<void> {
  const line = await SandboxManager.wrapWithSandbox('true', '/bin/bash');
  await once(spawn(line, { shell: '/bin/bash', stdio: ['ignore', 'pipe', 'pipe'] }), 'close');
  SandboxManager.cleanupAfterCommand();
}

test('a transaction starts in at most a third of the time of the sandbox runtime of others', async ({
  skip,
}) => {
  const missing = NEEDED.filter((program) => !existsSync(program));
  if (missing.length > 0) skip(`not installed: ${missing.join(', ')}`);
  const overlay = createHarness({ transactions: 'where-possible' });
  const cold = createHarness({ transactions: 'where-possible', standby: 0 });
  await SandboxManager.initialize({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: { denyRead: [overlay.home], allowWrite: [overlay.workspace], denyWrite: [] },
  });
  const ways = {
    'sandbox-runtime': byRuntime,
    overlay: () => overlay.run('true'),
    'overlay, no standby': () => cold.run('true'),
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
  const p50 = (name: keyof typeof ways): number =>
    (times.get(name) ?? []).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
  for (const name of Object.keys(ways) as (keyof typeof ways)[]) {
    const ratio = p50('sandbox-runtime') / p50(name);
    console.log(
      `${name}: p50 ${p50(name).toFixed(1)} ms, sandbox-runtime takes ${ratio.toFixed(2)} times as long`,
    );
  }
  await SandboxManager.reset();
  for (const harness of [overlay, cold]) await harness.close();
  expect(p50('sandbox-runtime') / p50('overlay')).toBeGreaterThan(3);
}, 120_000);
