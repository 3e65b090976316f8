import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, type Isolation, SandboxError, type Settings } from '@signalbox/core';
import { createExecutor, diagnose, type Diagnosis, type ExecutorOptions } from '@signalbox/sandbox';

type ProbeOptions = {
  readonly workspace: string;
  readonly path: string | undefined;
  readonly clock: Clock;
  /** From the settings; null if none is named. */
  readonly container: Settings['sandbox']['container'];
};

/** What would confine a command in this workspace, found by running one; the error if nothing does. */
export async function probeIsolation(probe: ProbeOptions): Promise<Isolation | SandboxError> {
  return withTrialOptions(probe, async (options) => {
    try {
      return await createExecutor(options).isolation();
    } catch (error) {
      if (error instanceof SandboxError) return error;
      throw error;
    }
  });
}

/** Tries everything that commands need. */
export async function diagnoseIsolation(probe: ProbeOptions): Promise<readonly Diagnosis[]> {
  return withTrialOptions(probe, diagnose);
}

/** Runs with executor options that leave nothing behind. */
export async function withTrialOptions<Answer>(
  { workspace, path, clock, container }: ProbeOptions,
  use: (options: ExecutorOptions) => Promise<Answer>,
): Promise<Answer> {
  const real = realpathSync(workspace);
  const stateFolder = trialFolder(real);
  try {
    return await use({
      workspace: real,
      stateFolder,
      path: path ?? '/usr/local/bin:/usr/bin:/bin',
      home: homedir(),
      confinement: 'required',
      transactions: 'where-possible',
      standby: 0,
      ...(container === null ? {} : { container }),
      clock,
    });
  } finally {
    rmSync(stateFolder, { recursive: true, force: true });
  }
}

/** On the workspace's own file system, like the real one; elsewhere if that is not writable. */
function trialFolder(workspace: string): string {
  for (const folder of [workspace, tmpdir()]) {
    try {
      return mkdtempSync(join(folder, '.signalbox-probe-'));
    } catch {
      // Try the next one.
    }
  }
  throw new SandboxError('Cannot test the sandbox: no folder is writable');
}
