import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aShellRequest } from '@signalbox/core/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withMemoryBound } from '../limits/bounded-limits.ts';
import { createSandboxContext } from '../sandbox-context.ts';
import { runCommand } from '../command-run.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { systemClock } from '../testing/system-clock.ts';
import { UNCONFINED } from '../isolation.ts';

let harness: SandboxHarness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.close());

/** Runs a command whose mounts come from an outdated list for the first `times` set-ups: a listed file is gone. */
async function runWithStaleMounts(times: number) {
  const stored = JSON.parse(harness.optionsJson) as Omit<ExecutorOptions, 'clock'>;
  const context = createSandboxContext({ ...stored, clock: systemClock, standby: 0 });
  // In a read-only workspace bubblewrap can't create the missing name.
  const request = withMemoryBound(aShellRequest('cat .env; echo done', { workspace: 'read' }));
  const secret = join(harness.workspace, '.env');
  writeFileSync(secret, 'leaked');
  const stale = await context.confinedArgv(request);
  rmSync(secret);
  let setUps = 0;
  const argvNow = async () => (++setUps <= times ? stale : context.confinedArgv(request));
  let heard = '';
  const onOutput = (_: string, text: string): void => void (heard += text);
  const hooks = { signal: new AbortController().signal, onOutput };
  const running = runCommand(request, hooks, context.confinedRun(request, UNCONFINED, argvNow));
  return { running, setUps: () => setUps, heard: () => heard };
}

test('a command begins even if a path to mask was removed during its set-up', async () => {
  const { running, setUps, heard } = await runWithStaleMounts(2);
  const { ended, stdout } = await running;
  expect({ ended, stdout: stdout.text, heard: heard(), setUps: setUps() }).toEqual({
    ended: { kind: 'exited', exitCode: 0 },
    stdout: 'done\n',
    heard: expect.stringMatching(/^(?![^]*bwrap:)[^]*done\n/),
    setUps: 3,
  });
});

test('a command whose set-up keeps failing is not run, and the error says why', async () => {
  const { running, setUps } = await runWithStaleMounts(Infinity);
  await expect(running).rejects.toMatchObject({
    message: 'Cannot run the command: its sandbox could not be set up',
    why: [expect.stringContaining('.env')],
  });
  expect(setUps()).toBe(5);
});
