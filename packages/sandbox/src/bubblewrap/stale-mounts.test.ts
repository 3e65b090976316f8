import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aShellRequest } from '@signalbox/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withMemoryBound } from '../limits/bounded-limits.ts';
import { createSandboxContext } from '../sandbox-context.ts';
import { runCommand } from '../command-run.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { systemClock } from '../fixtures/system-clock.ts';
import { UNCONFINED } from '../isolation.ts';

let harness: SandboxHarness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.close());

/** Runs a command whose mounts are made so often from a list that was true before a file went. */
async function runWithStaleMounts(times: number) {
  const stored = JSON.parse(harness.optionsJson) as Omit<ExecutorOptions, 'clock'>;
  const place = createSandboxContext({ ...stored, clock: systemClock, standby: 0 });
  // Where nothing may be written, bubblewrap can't make the name that is gone.
  const request = withMemoryBound(aShellRequest('cat .env; echo done', { workspace: 'read' }));
  const secret = join(harness.workspace, '.env');
  writeFileSync(secret, 'leaked');
  const stale = await place.confinedArgv(request);
  rmSync(secret);
  let setUps = 0;
  const argvNow = async () => (++setUps <= times ? stale : place.confinedArgv(request));
  let heard = '';
  const onOutput = (_: string, text: string): void => void (heard += text);
  const hooks = { signal: new AbortController().signal, onOutput };
  const running = runCommand(request, hooks, place.confinedRun(request, UNCONFINED, argvNow));
  return { running, setUps: () => setUps, heard: () => heard };
}

test('a command begins although somebody took away what it was to be kept from while it was set up', async () => {
  const { running, setUps, heard } = await runWithStaleMounts(2);
  const { ended, stdout } = await running;
  expect({ ended, stdout: stdout.text, heard: heard(), setUps: setUps() }).toEqual({
    ended: { kind: 'exited', exitCode: 0 },
    stdout: 'done\n',
    heard: expect.stringMatching(/^(?![^]*bwrap:)[^]*done\n/),
    setUps: 3,
  });
});

test('a command whose set-up fails again and again is not run, and says what was in the way', async () => {
  const { running, setUps } = await runWithStaleMounts(Infinity);
  await expect(running).rejects.toMatchObject({
    message: 'Cannot run the command: its confinement could not be set up',
    why: [expect.stringContaining('.env')],
  });
  expect(setUps()).toBe(5);
});
