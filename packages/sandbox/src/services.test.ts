import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Service, ServiceRequest } from '@signalbox/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createNameGuard } from './direct/guard-names.ts';
import type { RunningCalls } from './direct/running-calls.ts';
import type { ExecutorOptions } from './executor-options.ts';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';
import { systemClock } from './testing/system-clock.ts';
import { holdService } from './limits/service-limits.ts';
import { createServices } from './services.ts';

const MIB = 1024 ** 2;

/** Long, since the machine may be busy. */
const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 60_000 });

const REQUEST: Omit<ServiceRequest, 'argv'> = {
  cwd: '.',
  env: {},
  confined: true,
  workspace: 'read',
  network: false,
  limits: { memoryBytes: 512 * MIB, processes: 64 },
};

type Said = { readonly service: Service; readonly output: () => string; readonly error: () => string };

async function start(
  { optionsJson }: SandboxHarness,
  line: string,
  {
    changes = {},
    more = {},
  }: Readonly<{ changes?: Partial<ServiceRequest>; more?: Partial<ExecutorOptions> }> = {},
): Promise<Said> {
  const options = JSON.parse(optionsJson) as Omit<ExecutorOptions, 'clock'>;
  const service = await createServices({ ...options, ...more, clock: systemClock }).start({
    ...REQUEST,
    argv: ['/bin/bash', '-c', line],
    ...changes,
  });
  let [output, error] = ['', ''];
  service.listen(
    (chunk) => (output += Buffer.from(chunk).toString()),
    (chunk) => (error += Buffer.from(chunk).toString()),
  );
  return { service, output: () => output, error: () => error };
}

test('a program reads its input and writes its output until it is stopped', async () => {
  const harness = createHarness();
  const { service, output } = await start(harness, 'while read -r line; do echo "got $line"; done');
  service.write('one\n');
  await soon(() => expect(output()).toBe('got one\n'));
  service.write('two\n');
  await soon(() => expect(output()).toBe('got one\ngot two\n'));
  await service.stop();
  expect(await service.ended).toBe('exited with code 0');
  await harness.close();
});

test('a confined program reads the workspace without its secrets and cannot write', async () => {
  const harness = createHarness();
  writeFileSync(`${harness.workspace}/.env`, 'KEY=secret\n');
  writeFileSync(`${harness.workspace}/a.txt`, 'hello\n');
  const look = `cat a.txt; cat .env; touch b.txt; ls .signalbox; cat /proc/net/dev | wc -l; echo done`;
  const { service, output, error } = await start(harness, look);
  await service.ended;
  await soon(() => expect(output()).toMatch(/^hello\n\d+\ndone\n$/));
  // Only the loopback of its own network namespace, below two header lines.
  expect(output()).toContain('\n3\n');
  expect(error()).toMatch(/\.env: Permission denied[^]*b\.txt.*Read-only file system/);
  await harness.close();
});

test('a confined program has only the granted access to the workspace', async () => {
  const harness = createHarness();
  writeFileSync(`${harness.workspace}/a.txt`, 'hello\n');
  const none = await start(harness, `ls -A ${harness.workspace}; echo done`, {
    changes: { workspace: 'none' },
  });
  const write = await start(harness, 'echo new > b.txt', { changes: { workspace: 'write' } });
  await Promise.all([none.service.ended, write.service.ended]);
  await soon(() => expect(none.output()).toBe('done\n'));
  expect(readFileSync(`${harness.workspace}/b.txt`, 'utf8')).toBe('new\n');
  await harness.close();
});

test('a program gets exactly the given variables', async () => {
  const harness = createHarness();
  vi.stubEnv('OURS', 'secret');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { service, output } = await start(harness, 'echo "$GIVEN,$OURS"', {
    changes: { env: { GIVEN: 'yes' } },
  });
  await service.ended;
  await soon(() => expect(output()).toBe('yes,\n'));
  await harness.close();
});

test.for([true, false])(
  'a program that ignores the end of its input and TERM is killed, confined: %s',
  async (confined) => {
    const harness = createHarness();
    const line = "trap '' TERM; echo ready; while :; do sleep 0.05; done";
    const { service, output } = await start(harness, line, { changes: { confined } });
    await soon(() => expect(output()).toBe('ready\n'));
    await service.stop();
    // Bubblewrap's death kills everything in it.
    expect(await service.ended).toBe(`was killed by ${confined ? 'SIGTERM' : 'SIGKILL'}`);
    await harness.close();
  },
);

test('a cwd outside the workspace is rejected, and a missing program is reported', async () => {
  const harness = createHarness();
  mkdirSync(`${harness.workspace}/sub`);
  await expect(start(harness, 'true', { changes: { cwd: '..' } })).rejects.toThrow(
    'it leads out of the workspace',
  );
  await expect(start(harness, 'true', { changes: { cwd: 'missing' } })).rejects.toThrow(
    'there is no such folder',
  );
  const { service } = await start(harness, '', {
    changes: { argv: ['/no/such/program'], confined: false, cwd: 'sub' },
  });
  expect(await service.ended).toContain('could not be started');
  await harness.close();
});

test('a confined program over its memory limit is ended, and the reason names the limit', async () => {
  const harness = createHarness();
  const line = `exec ${process.execPath} -e "const all = []; for (;;) all.push(Buffer.alloc(2e6, 1));"`;
  const { service } = await start(harness, line, {
    changes: { limits: { memoryBytes: 100 * MIB, processes: 64 } },
  });
  expect(await service.ended).toMatch(/: it used more memory than allowed \(max_memory_mb\)$/);
  await harness.close();
});

test('a confined program and its children stay within the process limit', async () => {
  const harness = createHarness();
  // In one stream, so that the order is kept.
  const line = 'exec 2>&1; for i in {1..40}; do sleep 600 & echo "started $i"; done; wait';
  const { service, output } = await start(harness, line, {
    changes: {
      limits: { memoryBytes: 512 * MIB, processes: 20 },
    },
  });
  await soon(() => expect(output()).toMatch(/fork/));
  const started = output().match(/started/g)?.length ?? 0;
  expect(started).toBeGreaterThan(10);
  expect(started).toBeLessThanOrEqual(20);
  await service.stop();
  await harness.close();
});

test('without control groups the memory of a program is sampled', async () => {
  const child = spawn(process.execPath, [
    '-e',
    'globalThis.held = Buffer.alloc(3e8, 1); setInterval(() => {}, 1e6)',
  ]);
  const killed = once(child, 'exit');
  const held = await holdService(child.pid ?? 0, {
    limits: { memoryBytes: 200 * MIB, processes: 64 },
    createGroup: null,
    clock: systemClock,
    kill: () => child.kill('SIGKILL'),
  });
  expect(await killed).toEqual([null, 'SIGKILL']);
  expect(held.isOverMemory()).toBe(true);
  held.letGo();
});

test.for(['it is stopped before it served', 'it can not be started'] as const)(
  'a change agreed for one call is not agreed for the next when a server never started: %s',
  async (how) => {
    const harness = createHarness();
    const runningCalls: RunningCalls = new Set();
    const stateFolder = `${harness.workspace}/no-folder`;
    writeFileSync(stateFolder, '');
    const more = how === 'it can not be started' ? { runningCalls, stateFolder } : { runningCalls };
    const outcome = await start(harness, 'cat', { changes: { workspace: 'write' }, more }).then(
      async ({ service }) => (await service.stop()).join(),
      (cause: unknown) => Object(cause).code as string,
    );
    expect(outcome).toBe(how === 'it can not be started' ? 'sandbox_error' : '');
    mkdirSync(`${harness.workspace}/.vscode`);
    const guard = createNameGuard({ ...(JSON.parse(harness.optionsJson) as ExecutorOptions), runningCalls });
    const ends = [];
    for (const agreed of [['.vscode/tasks.json'], []]) {
      const end = await guard.watch({ id: `call-${agreed.length}`, agreed, isFixed: false });
      writeFileSync(`${harness.workspace}/.vscode/tasks.json`, `{ "agreed": ${agreed.length} }`);
      ends.push(await end());
    }
    expect(ends).toEqual([[], [expect.stringContaining('.vscode/tasks.json')]]);
    expect(readFileSync(`${harness.workspace}/.vscode/tasks.json`, 'utf8')).toContain('1');
    await harness.close();
  },
);

test('a stopped server leaves no descriptor open', async () => {
  const harness = createHarness();
  const openDescriptors = (): number => readdirSync('/proc/self/fd').length;
  const services = createServices({
    ...(JSON.parse(harness.optionsJson) as ExecutorOptions),
    clock: systemClock,
  });
  async function startAndStop(): Promise<void> {
    const service = await services.start({ ...REQUEST, argv: ['/bin/cat'] });
    await service.stop();
    await service.ended;
  }
  // The first run creates what all of them share.
  await startAndStop();
  const before = openDescriptors();
  for (let n = 0; n < 10; n++) await startAndStop();
  // The test runner opens some of its own.
  await expect.poll(openDescriptors).toBeLessThan(before + 5);
  await harness.close();
});
