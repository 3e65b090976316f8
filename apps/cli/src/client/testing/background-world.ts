import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock } from '@signalbox/embedded';
import { expect, inject } from 'vitest';
import { entry } from '../../program/runtime-entry.ts';
import type { RuntimeEntry } from '../../runtime/contract/runtime.ts';
import { TEST_STATE } from '../../testing/open-test-runtime.ts';
import { configHomeOf } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { connectCoordinator } from '../connect-coordinator.ts';
import { spawnCoordinator } from '../spawn-coordinator.ts';

const clock = createSystemClock();

/** A workspace whose coordinators are real processes, all stopped at the end of the test. */
export function backgroundWorld(env: Readonly<Record<string, string>> = {}) {
  const directory = ownWorkspace();
  const world = {
    directory,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      XDG_CONFIG_HOME: configHomeOf(directory),
      XDG_STATE_HOME: TEST_STATE,
      ...env,
    },
    clock,
    // Of the built program, which starts in two thirds of the time.
    entry: {
      ...entry,
      startCoordinator: (start) => spawnCoordinator(start, inject('program')),
    } satisfies RuntimeEntry,
    user: 'ana',
  };
  const connect = () => connectCoordinator(world, { what: 'work', start: true });
  const run = join(directory, '.signalbox/run');
  return { ...world, connect, run };
}

export async function killed(
  pid: number,
  { signal = 'SIGKILL' }: Readonly<{ signal?: 'SIGKILL' | 'SIGTERM' }> = {},
): Promise<void> {
  process.kill(pid, signal);
  await expect.poll(() => isDead(pid), { timeout: 30_000 }).toBe(true);
}

export function isDead(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z';
  return /\) [ZX]/.test(stat);
}
