import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createId } from '@signalbox/core';
import { createMemoryLogger, killCoordinators } from '@signalbox/core/testing';
import { createEmbeddedBackend, createSystemClock } from '@signalbox/embedded';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { readRecord } from './runtime/server/coordinator-record.ts';
import { readAt } from './client/fetch-at.ts';
import { programEnv } from './testing/agent.ts';
import { openLiveWorkspace } from './testing/live-workspace.ts';
import { writeOwnSettings } from './testing/own-settings.ts';
import { ownWorkspace } from './testing/own-workspace.ts';

const CLI = fileURLToPath(new URL('..', import.meta.url));
const BUILT = join(CLI, 'dist/main.js');
const WAITING = 50_000;
const SETTINGS = [
  'approval: { approval_mode: allow_all }',
  `execution: { max_queue_size: ${WAITING}, max_wait: 1h }`,
  '',
].join('\n');
const SERVES_WITHIN_MS = 10_000;

/** Copies the one waiting command of a killed coordinator that many times. */
async function multiply(workspace: string, times: number): Promise<void> {
  const backend = await createEmbeddedBackend({
    folder: join(workspace, '.signalbox'),
    clock: createSystemClock(),
    random: randomBytes,
    limits: { maxConcurrent: 3, maxQueuePerProvider: times, maxWaitMs: 1000, leaseTtlMs: 1000 },
    logger: createMemoryLogger(),
  });
  const [waiting] = await backend.store.unfinished({ states: ['queued'] });
  if (waiting === undefined) throw new Error('no command waits');
  for (let n = 1; n < times; n++)
    await backend.store.commit({ ...waiting, id: createId('command', randomBytes), revision: 1 }, []);
  await backend.close();
}

const QueuePage = z.object({ waiting: z.array(z.unknown()) });
const Health = z.object({ recovering: z.unknown().nullish() });

async function askCoordinator(workspace: string, path: string): Promise<unknown> {
  const record = readRecord(workspace);
  if (record === null) throw new Error('no coordinator runs');
  const access = { url: 'http://localhost', token: '', pid: record.pid, socket: record.socket };
  return JSON.parse((await readAt(access, path)).text);
}

async function untilRecovered(workspace: string): Promise<void> {
  while (Health.parse(await askCoordinator(workspace, '/health')).recovering != null) await setTimeout(20);
}

test('a coordinator killed with 50,000 commands waiting serves again within 10 s (F-B4)', async () => {
  // Even if a build exists: it may be out of date.
  spawnSync('rolldown', ['-c'], { cwd: CLI, stdio: 'ignore' });
  const workspace = ownWorkspace({ 'signalbox.yaml': '{}\n' });
  await writeOwnSettings(workspace, { text: SETTINGS });
  const live = await openLiveWorkspace(workspace);
  onTestFinished(() => killCoordinators(workspace));
  await live.exec('echo begun').exitCode;
  const running = live.exec('echo begun; echo a > a.txt; sleep 1000');
  await running.begun;
  const waiting = live.exec('echo b > a.txt');
  await live.next('command_queued', ({ blockers }) => blockers.length > 0);
  process.kill(live.coordinator(), 'SIGKILL');
  // Otherwise they start the next coordinator before the records are there.
  for (const client of [running, waiting]) client.kill();
  await multiply(workspace, WAITING);

  const startedAt = performance.now();
  const server = spawn(process.execPath, [BUILT, '-C', workspace, 'serve', '--port', '0', '--json'], {
    env: programEnv(workspace),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  await once(server.stdout, 'data');
  const ask = (path: string): Promise<unknown> => askCoordinator(workspace, path);
  const took: Record<string, number> = {};
  const mark = (what: string): void => {
    took[what] = performance.now() - startedAt;
  };
  mark('port open');
  await ask('/api/snapshot');
  mark('snapshot answered');
  expect(QueuePage.parse(await ask('/api/queue?limit=10')).waiting.length).toBeGreaterThan(0);
  mark('queue answered');
  await untilRecovered(workspace);
  mark('all taken up');
  for (const [what, ms] of Object.entries(took))
    console.log(`${what}: ${(ms / 1000).toFixed(1)} s after the start`);
  expect(took['queue answered']).toBeLessThan(SERVES_WITHIN_MS);
}, 600_000);
