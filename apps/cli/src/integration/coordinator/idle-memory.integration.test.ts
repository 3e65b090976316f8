import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openLiveWorkspace } from '../../testing/live-workspace.ts';

/** Resident memory in kB. */
function residentOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

test('an idle coordinator takes at most five times the memory of Node.js alone', async () => {
  const live = await openLiveWorkspace();
  expect(await live.exec('true').exitCode).toBe(0);
  const bare = spawn(process.execPath, ['-e', 'console.log(0); process.stdin.resume()']);
  onTestFinished(() => void bare.kill('SIGKILL'));
  await once(bare.stdout, 'data');
  const ratio = residentOf(live.coordinator()) / residentOf(bare.pid);
  // Some 3 times.
  expect(ratio).toBeLessThan(5);
});
