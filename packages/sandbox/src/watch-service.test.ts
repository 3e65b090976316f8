import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { ExecutorOptions } from './executor-options.ts';
import { createHarness } from './testing/sandbox-harness.ts';
import { systemClock } from './testing/system-clock.ts';
import { isAlive, isStopped, treeOf } from './process-tree/process-tree.ts';
import { createServices } from './services.ts';

const ROUNDS = 8;
const CHECKS = 60;

/** Each child writes, forks another that detaches, and ends, so several forks are always in flight. */
const FORKS = `
forks() { while :; do ( echo x >> forked.txt; ( echo y >> forked.txt; exec 2>&-; ( echo z >> forked.txt ) & ) & ); done; }
echo ready
for n in 1 2 3 4; do forks 2> /dev/null & done
while read -r line; do :; done
`;

test('a server that writes and forks without end is paused between its calls or killed', async () => {
  await using own = await start(['/bin/bash', '-c', FORKS]);
  const { service, watch, running, written } = own;
  let ended: string | null = null;
  void service.ended.then((how) => (ended = how));
  await watch.endStart();
  for (let round = 0; round < ROUNDS; round += 1) {
    // Paused at once, or killed because it forks faster than it can be paused.
    const isPaused = running().every((pid) => isStopped(pid));
    await vi.waitFor(() => expect(isPaused || running().length === 0).toBe(true), 20_000);
    const [pids, bytes] = [running(), written()];
    for (let look = 0; look < CHECKS; look += 1) expect([running(), written()]).toEqual([pids, bytes]);
    if (pids.length === 0) break;
    const end = await watch.begin({ id: `call-${round}`, agreed: [] });
    const size = written();
    await vi.waitFor(() => expect(written()).toBeGreaterThan(size), 20_000);
    await end();
  }
  expect([null, 'was ended by SIGKILL']).toContain(ended);
  await service.stop();
  expect(running()).toEqual([]);
});

async function start(argv: readonly [string, ...string[]]) {
  const harness = createHarness();
  const options = JSON.parse(harness.optionsJson) as Omit<ExecutorOptions, 'clock'>;
  const mark = `FORKER=${harness.workspace}`;
  const service = await createServices({ ...options, clock: systemClock }).start({
    argv,
    cwd: '.',
    env: { FORKER: harness.workspace },
    confined: true,
    workspace: 'write',
    network: false,
    limits: { memoryBytes: 512 * 1024 ** 2, processes: 64 },
  });
  let said = '';
  await new Promise<void>((resolve) => {
    service.listen(
      (chunk) => {
        said += Buffer.from(chunk).toString();
        if (said.includes('ready')) resolve();
      },
      () => undefined,
    );
  });
  const { watch } = service;
  if (watch === null) throw new Error('not watched');
  return {
    service,
    watch,
    /** Its processes except zombies. */
    running: (): readonly number[] =>
      treeOf(process.pid).filter((pid) => isAlive(pid) && environmentOf(pid).includes(mark)),
    /** Bytes it has written. */
    written(): number {
      const path = join(harness.workspace, 'forked.txt');
      return existsSync(path) ? statSync(path).size : 0;
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await harness.close();
    },
  };
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
