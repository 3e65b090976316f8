import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSystemClock } from '@signalbox/embedded';
import { expect, onTestFinished } from 'vitest';
import { doors } from '../../frame/doors.ts';
import { createTestWorkspace, TEST_STATE } from '../../testing/open-test-house.ts';
import { configHomeOf } from '../../testing/own-settings.ts';
import { connectCoordinator } from '../connect-coordinator.ts';
import { findCoordinator } from '../find-coordinator.ts';

const clock = createSystemClock();

/** A workspace whose coordinators are real processes, all of which are gone when the test has ended. */
export function backgroundWorld(env: Readonly<Record<string, string>> = {}) {
  const directory = createTestWorkspace();
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
    doors,
    user: 'ana',
  };
  const connect = () => connectCoordinator(world, { what: 'work', start: true });
  const run = join(directory, '.signalbox/run');
  onTestFinished(async () => {
    const found = await findCoordinator(world, 'stop').catch(() => null);
    if (found !== null) await killed(found.hello.pid, world);
    for (const folder of [directory, configHomeOf(directory)])
      rmSync(folder, { recursive: true, force: true });
  });
  return { ...world, connect, run };
}

export async function killed(
  pid: number,
  world: Pick<ReturnType<typeof backgroundWorld>, 'directory' | 'clock'>,
) {
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isDead(pid), { timeout: 20_000 }).toBe(true);
  return world;
}

export function isDead(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z';
  return /\) [ZX]/.test(stat);
}
