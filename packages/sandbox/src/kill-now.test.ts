import { expect, onTestFinished, test } from 'vitest';
import { createHarness } from './testing/sandbox-harness.ts';

/** Longer than any test: waiting for it fails. */
const ENDLESS_GRACE_MS = 3_600_000;
const DEAF = `trap 'echo asked' TERM; echo ready; while :; do sleep 0.1; done`;

function openHarness() {
  const harness = createHarness({ graceMs: ENDLESS_GRACE_MS });
  onTestFinished(harness.close);
  return harness;
}

test('a kill skips the grace period, even for a command already being stopped', async () => {
  const [stop, kill] = [new AbortController(), new AbortController()];
  const onOutput = (_: unknown, text: string): void => {
    stop.abort();
    if (text.includes('asked')) kill.abort();
  };
  const done = await openHarness().run(DEAF, {}, { signal: stop.signal, kill: kill.signal, onOutput });
  expect(done.ended).toEqual({ kind: 'stopped' });
  expect(done.stdout.text).toBe('ready\nasked\n');
});

test('a kill alone stops a command, even before it has begun', async () => {
  const { run } = openHarness();
  const kill = new AbortController();
  const killed = await run(DEAF, {}, { kill: kill.signal, onOutput: () => kill.abort() });
  expect(killed.ended).toEqual({ kind: 'stopped' });
  const early = await run('touch begun', {}, { kill: AbortSignal.abort() });
  expect(early.ended).toEqual({ kind: 'stopped' });
  expect((await run('ls')).stdout.text).toBe('');
});
