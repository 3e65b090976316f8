import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, type Isolation, SandboxError } from '@signalbox/core';
import { createExecutor } from '@signalbox/sandbox';

/** What would confine a command in this workspace, found by really running one; the error where nothing does. */
export async function probeIsolation(options: {
  readonly workspace: string;
  readonly path: string | undefined;
  readonly clock: Clock;
}): Promise<Isolation | SandboxError> {
  const stateFolder = mkdtempSync(join(tmpdir(), 'signalbox-probe-'));
  try {
    const executor = createExecutor({
      workspace: realpathSync(options.workspace),
      stateFolder,
      path: options.path ?? '/usr/local/bin:/usr/bin:/bin',
      home: homedir(),
      confinement: 'required',
      clock: options.clock,
    });
    return await executor.isolation();
  } catch (error) {
    if (error instanceof SandboxError) return error;
    throw error;
  } finally {
    rmSync(stateFolder, { recursive: true, force: true });
  }
}
