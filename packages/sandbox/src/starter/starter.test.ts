import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createId } from '@signalbox/core';
import { expect, onTestFinished, test } from 'vitest';
import { createPipes } from '../output/output-pipe.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import { createHarness } from '../testing/sandbox-harness.ts';
import { isAlive, processesOfCommand, treeOf } from '../process-tree/process-tree.ts';
import { sendSignal } from '../process.ts';
import { PIPES_AT_ONCE } from './starter-script.ts';
import { createStarter } from './starter.ts';

const RUN_LEASED = fileURLToPath(new URL('../testing/run-leased.ts', import.meta.url));
const UNHURRIED = { timeout: 30_000 };

function openHarness(transactions: 'off' | 'where-possible' = 'where-possible') {
  const harness = createHarness({ transactions, standby: 0 });
  onTestFinished(harness.close);
  return harness;
}

/** Children of a process with one of our process names. */
function childrenNamed(name: string, parent: number): number[] {
  return treeOf(parent).filter((pid) => {
    const argv = argvOf(pid);
    return argv.includes(name) && argv.at(0) === '/bin/bash' && parentOf(pid) === parent;
  });
}

function argvOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** The starter of this folder; other tests in the process have their own. */
function starterOf(folder: string, parent: number): number {
  const isOfFolder = (pid: number): boolean => argvOf(pid).some((argument) => argument.startsWith(folder));
  return childrenNamed('signalbox-starter', parent).find(isOfFolder) ?? 0;
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

test('the starter makes the pipes of the first starts, and says so if it can make none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-'));
  const supervisor = createSupervisor();
  const pipes = createPipes(folder);
  const starter = createStarter({ folder, pipes, supervisor, openFilter: () => 0 });
  onTestFinished(async () => {
    await starter.close();
    await supervisor.close();
    pipes.close();
  });
  await starter.prepare();
  expect([pipes.spare(), readdirSync(folder)]).toEqual([PIPES_AT_ONCE, []]);
  rmSync(folder, { recursive: true });
  pipes.close();
  await starter.prepare();
  expect(pipes.spare()).toBe(0);
});

test('killing the starter ends its commands, each with one result, and the next command runs', async () => {
  const harness = openHarness();
  const begun = Promise.withResolvers<void>();
  const commandId = createId('command', randomBytes);
  const running = harness.run(
    'echo begun; touch half; sleep 600 & sleep 600',
    { commandId },
    { onOutput: () => begun.resolve() },
  );
  await begun.promise;
  await expect.poll(() => processesOfCommand(commandId).length, UNHURRIED).toBeGreaterThan(2);
  const known = processesOfCommand(commandId);
  sendSignal(starterOf(harness.folder, process.pid), 'SIGKILL');
  expect(await running).toMatchObject({ ended: { kind: 'signalled', signal: 'SIGKILL' }, changes: [] });
  expect(known.filter(isAlive)).toEqual([]);
  expect((await harness.run('ls; echo again')).stdout.text).toBe('again\n');
});

test('a start interrupted by killing the starter is repeated', async () => {
  const harness = openHarness('off');
  await harness.run('true');
  const killed = starterOf(harness.folder, process.pid);
  sendSignal(killed, 'SIGSTOP');
  const before = openDescriptors();
  const running = harness.run('echo here');
  // Both ends of its six pipes, held by one descriptor each so far.
  await expect.poll(openDescriptors, UNHURRIED).toBeGreaterThanOrEqual(before + 6);
  sendSignal(killed, 'SIGKILL');
  expect((await running).stdout.text).toBe('here\n');
});

test('commands end with a killed coordinator, even if its supervisor was killed first', async () => {
  const harness = openHarness();
  const commandId = createId('command', randomBytes);
  const coordinator = spawn(
    process.execPath,
    [RUN_LEASED, harness.optionsJson, 'sleep 600 & sleep 600', commandId, '600000'],
    { stdio: 'ignore' },
  );
  const pid = coordinator.pid ?? 0;
  await expect.poll(() => processesOfCommand(commandId).length, UNHURRIED).toBeGreaterThan(2);
  const known = [...processesOfCommand(commandId), ...childrenNamed('signalbox-starter', pid)];
  // While frozen, it can't notice that its supervisor is gone.
  sendSignal(pid, 'SIGSTOP');
  for (const supervisor of childrenNamed('signalbox-supervisor', pid)) sendSignal(supervisor, 'SIGKILL');
  sendSignal(pid, 'SIGKILL');
  await once(coordinator, 'exit');
  await expect.poll(() => known.filter(isAlive), UNHURRIED).toEqual([]);
});

test('a frozen starter ends with its coordinator', async () => {
  const harness = openHarness();
  const commandId = createId('command', randomBytes);
  const coordinator = spawn(
    process.execPath,
    [RUN_LEASED, harness.optionsJson, 'sleep 600', commandId, '600000'],
    { stdio: 'ignore' },
  );
  const pid = coordinator.pid ?? 0;
  await expect.poll(() => processesOfCommand(commandId).length, UNHURRIED).toBeGreaterThan(0);
  const starters = childrenNamed('signalbox-starter', pid);
  expect(starters).toHaveLength(1);
  const known = [...processesOfCommand(commandId), ...starters];
  for (const starter of starters) sendSignal(starter, 'SIGSTOP');
  sendSignal(pid, 'SIGKILL');
  await expect.poll(() => known.filter(isAlive), UNHURRIED).toEqual([]);
});

test('the starter is small and keeps no descriptors of started processes', async () => {
  const harness = openHarness();
  for (let round = 0; round < 3; round++) await harness.run('echo "a $PWD" >a');
  const starter = starterOf(harness.folder, process.pid);
  const kib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${starter}/status`, 'utf8'))?.[1]);
  expect(kib).toBeLessThan(8 * 1024);
  expect(readdirSync(`/proc/${starter}/fd`)).toEqual(['0', '1', '2']);
  expect(readdirSync(harness.workspace).filter((name) => name !== '.signalbox')).toEqual(['a']);
  const short = readdirSync(`${harness.workspace}/.signalbox`).filter((name) =>
    /^(?:pipe|argv|filter)-/.test(name),
  );
  expect(short).toEqual([]);
});

test('the starter handles a workspace name with blanks, quotes and line ends', async () => {
  const harness = openHarness();
  const odd = createHarness({ workspace: harness.workspace, stateFolder: `${harness.folder}/a 'b" $(c)\n*` });
  onTestFinished(odd.close);
  for (let round = 0; round < 10; round++) expect((await odd.run('echo here')).stdout.text).toBe('here\n');
});
