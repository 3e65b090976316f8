import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { claimsConflict } from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from './connection/connection.ts';
import type { ContentionOptions, ProcessLogLine } from './testing/contending-process.ts';
import { isJobHistory } from './testing/list-keys.ts';
import { createRealClock } from './testing/real-clock.ts';
import { startRedisServer } from './testing/redis-server.ts';

const LEASE_TTL_MS = 1000;
const COMMANDS = 150;

test('conflicting commands of several processes never overlap, and all of them run (S003-88, U-08)', async () => {
  const runtime = await openRuntime();
  const processes = ['aa', 'ab', 'ac'].map((name) => runtime.start(name));
  await Promise.all(processes.map(({ done }) => done));
  const lines = runtime.log();
  expect(lines.filter(({ what }) => what === 'end')).toHaveLength(3 * COMMANDS);
  expect(new Set(lines.map(({ commandId }) => commandId)).size).toBe(3 * COMMANDS);
  expect(overlapsIn(lines)).toEqual([]);
  expect(await runtime.leftKeys()).toEqual([]);
});

test('what a killed process ran is lost once, overlaps with nothing, and blocks no command for ever', async () => {
  const runtime = await openRuntime();
  const killed = runtime.start('aa');
  const living = ['ab', 'ac'].map((name) => runtime.start(name));
  await expect
    .poll(() => runningOf('aa', runtime.log()).length, { interval: 1, timeout: 20_000 })
    .toBeGreaterThan(0);
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  const interrupted = runningOf('aa', runtime.log());
  await Promise.all(living.map(({ done }) => done));
  // By then its last lease has expired, unless all others were waiting for it.
  await expect.poll(() => runtime.leftKeys(), { timeout: 20_000 }).toEqual([]);
  const lines = runtime.log();
  const lost = lines.filter(({ what }) => what === 'lost').map(({ commandId }) => commandId);
  expect(new Set(lost).size).toBe(lost.length);
  // There may be more: granted to it but not yet logged.
  expect(lost).toEqual(expect.arrayContaining(interrupted));
  expect(lines.filter(({ what, by }) => what === 'end' && by !== 'aa')).toHaveLength(2 * COMMANDS);
  expect(overlapsIn(lines)).toEqual([]);
});

async function openRuntime() {
  const server = await startRedisServer();
  onTestFinished(() => server.close());
  const logFile = join(server.folder, 'commands.log');
  writeFileSync(logFile, '');
  const connection = await openConnection({
    url: server.url,
    workspace: 'shop',
    clock: createRealClock(),
    logger: createMemoryLogger(),
  });
  onTestFinished(() => connection.close());

  return {
    start(name: string) {
      const contention: ContentionOptions = {
        url: server.url,
        workspace: 'shop',
        logFile,
        name,
        commands: COMMANDS,
        leaseTtlMs: LEASE_TTL_MS,
      };
      const child = startProcess(contention);
      return { child, done: doneOf(child) };
    },
    log: (): readonly ProcessLogLine[] =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as ProcessLogLine),
    /** All keys except permanent ones and inboxes: living processes empty those, and a dead process's expire. */
    leftKeys: () =>
      connection.ask(async (redis) => {
        const keys = (await redis.keys('*')).map((key) => key.replace('{shop}:', ''));
        return keys.filter(
          (key) =>
            !['epoch', 'owners', 'queue'].includes(key) && !key.startsWith('inbox:') && !isJobHistory(key),
        );
      }),
  };
}

function startProcess(contention: ContentionOptions): ChildProcess {
  const program = `
    const { contend } = await import(${JSON.stringify(new URL('testing/contending-process.ts', import.meta.url).href)});
    await contend(${JSON.stringify(contention)});`;
  const argv = ['--input-type=module', '--eval', program];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function doneOf(child: ChildProcess): Promise<void> {
  if (child.stdout === null) throw new Error('no output');
  await once(createInterface({ input: child.stdout }), 'line');
}

function runningOf(name: string, lines: readonly ProcessLogLine[]): string[] {
  const running = new Set<string>();
  for (const { what, by, commandId } of lines) {
    if (by !== name) continue;
    if (what === 'start') running.add(commandId);
    else running.delete(commandId);
  }
  return [...running];
}

/** Commands that started while a conflicting one ran, until that one ended or was reported lost. */
function overlapsIn(lines: readonly ProcessLogLine[]): readonly string[] {
  const running = new Map<string, ProcessLogLine>();
  const overlaps: string[] = [];
  for (const line of lines) {
    if (line.what !== 'start') {
      running.delete(line.commandId);
      continue;
    }
    for (const other of running.values())
      if (claimsConflict(line.claims, other.claims))
        overlaps.push(`${other.commandId} and ${line.commandId}`);
    running.set(line.commandId, line);
  }
  return overlaps;
}
