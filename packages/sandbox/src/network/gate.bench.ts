import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createHarness } from '../testing/sandbox-harness.ts';

const ROUNDS = 25;
/** Far less than between two calls of a model, but long enough for a standby to be ready. */
const PAUSE_MS = 150;

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

test('a command behind a gate takes at most 1.2 times as long as one without a network', async () => {
  for (const [transactions, standby] of [
    ['off', 0],
    ['where-possible', 0],
    ['where-possible', 2],
  ] as const) {
    const harness = createHarness({ transactions, standby });
    const times = { off: [] as number[], gated: [] as number[] };
    for (let round = -3; round < ROUNDS; round++) {
      for (const way of ['off', 'gated'] as const) {
        await pause(PAUSE_MS);
        const startedAt = performance.now();
        await harness.run('true', way === 'off' ? {} : { network: { hosts: ['example.com'] } });
        if (round >= 0) times[way].push(performance.now() - startedAt);
      }
    }
    const [off, gated] = [median(times.off), median(times.gated)];
    console.log(
      `transactions ${transactions}, ${standby} stand by: off p50 ${off.toFixed(1)} ms, gated p50 ${gated.toFixed(1)} ms, ${(gated / off).toFixed(2)} times`,
    );
    await harness.close();
    expect(gated / off).toBeLessThan(1.2);
  }
}, 120_000);
