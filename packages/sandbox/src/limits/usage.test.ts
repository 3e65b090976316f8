import { spawn } from 'node:child_process';
import { aShellRequest, createManualClock } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import type { Cgroup } from './cgroup.ts';
import { withMemoryBound } from './bounded-limits.ts';
import { watchUsage } from './usage.ts';

test('removing a command’s control group only loses its counts', async () => {
  const child = spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const clock = createManualClock();
  let isGone = false;
  const group: Cgroup = {
    limitsCpu: true,
    limit: () => undefined,
    freeCpu() {
      if (isGone) throw new Error('ENOENT');
    },
    attach: async () => undefined,
    usage() {
      if (isGone) throw new Error('ENOENT');
      return {
        cpuMs: 5,
        peakMemoryBytes: 1,
        ranOutOfMemory: false,
        throttledMs: 0,
        refusedProcesses: 0,
      };
    },
    remove: async () => undefined,
  };
  const watch = watchUsage(child.pid ?? 0, {
    clock,
    limits: withMemoryBound(aShellRequest('')).limits,
    writesToDisk: false,
    group,
    onExceeded: (limit) => expect.fail(limit),
  });
  await clock.advance(100);
  isGone = true;
  await clock.advance(1000);
  watch.letGo();
  const { usage, refusedProcesses } = watch.end();
  // From the processes, with shared pages counted in part, instead of the group's single byte.
  expect(usage.peakMemoryBytes).toBeGreaterThan(1);
  expect(refusedProcesses).toBeNull();
});
