import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Execution, ExecutionHooks, ExecutionRequest } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { createExecutor } from '../executor.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { systemClock } from './system-clock.ts';

export type SandboxHarness = {
  readonly folder: string;
  readonly workspace: string;
  readonly home: string;
  /** For {@link run-one.ts}: the options without the clock. */
  readonly optionsJson: string;
  run(line: string, more?: Partial<ExecutionRequest>, hooks?: Partial<ExecutionHooks>): Promise<Execution>;
  close(): Promise<void>;
};

/** Creates a workspace and a home in a temporary folder, and an executor on them. */
export function createHarness(more: Partial<ExecutorOptions> = {}): SandboxHarness {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  const [workspace, home] = [join(folder, 'workspace'), join(folder, 'home')];
  for (const path of [workspace, home]) mkdirSync(path);
  const options = {
    workspace,
    home,
    stateFolder: join(workspace, '.signalbox'),
    // An ordinary user can't even stat root's home.
    path: `${home}/.local/bin:${dirname(process.execPath)}:/root/bin:/usr/local/bin:/usr/bin:/bin`,
    confinement: 'required',
    graceMs: 300,
    disk: folder,
    ...more,
  } as const;
  const executor = createExecutor({ clock: systemClock, ...options });
  return {
    folder,
    workspace,
    home,
    optionsJson: JSON.stringify(options),
    run: (line, request = {}, hooks = {}) =>
      executor.execute(aShellRequest(line, request), {
        signal: new AbortController().signal,
        onOutput: () => undefined,
        ...hooks,
      }),
    async close() {
      await executor.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
