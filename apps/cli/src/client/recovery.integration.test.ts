import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createId } from '@signalbox/core';
import { aCommandRecord, createMemoryLogger } from '@signalbox/core/testing';
import { createEmbeddedBackend } from '@signalbox/embedded';
import { expect, test } from 'vitest';
import { entry } from '../program/runtime-entry.ts';
import type { Runtime } from '../runtime/contract/runtime.ts';
import { makeOwnState } from '../runtime/workspace/state-folder.ts';
import type { Line } from '../terminal/line.ts';
import { ownWorkspace } from '../testing/own-workspace.ts';
import { screenText } from '../testing/screen-text.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { connectCoordinator } from './connect-coordinator.ts';
import { createStartReporter, readStartReport } from './start-report.ts';
import { backgroundWorld } from './testing/background-world.ts';
import { fakeCoordinator } from './testing/fake-coordinator.ts';

const PROGRESS = { done: 12_000, of: 50_000 };
const NORMAL = { mode: 'NORMAL', since: 0, by: 'configuration', reason: 'initial mode' };
const STATUS = {
  workspace: 'shop',
  mode: NORMAL,
  coordinator: { pid: process.pid, host: 'ada', subcommand: 'coordinator', startedAt: 0 },
  counts: { running: 0, waiting: 50_000, approvals: 0, done: 0, failed: 0, denied: 0, stale: 0 },
  maxConcurrent: 3,
  budgetUsd: null,
  members: null,
};
const SAID = 'recovering 12,000 of 50,000 earlier commands recovered; new calls queue behind them';

test('a client of a coordinator that recovers many earlier commands is told so, and status shows it', async () => {
  const workspace = ownWorkspace();
  const state = {
    clients: 0,
    runs: 0,
    commands: 50_000,
    idleExitMs: null,
    ports: [],
    fixedPorts: [],
    stopping: false,
  };
  await fakeCoordinator(workspace, {
    '/api/hello': () => ({ recovering: PROGRESS }),
    '/api/coordinator': () => ({ ...state, recovering: PROGRESS }),
    '/api/status': () => STATUS,
  });
  const terminal = createTestTerminal(workspace);
  expect((await terminal.signalbox('attach')).talk.split(SAID)).toHaveLength(2);
  expect((await terminal.signalbox('status')).out).toContain(SAID);
});

test('a starting coordinator reports the progress of its recovery in its log and to the client that waits', async () => {
  const { signalbox } = createTestTerminal(ownWorkspace(), {
    entry: { ...entry, openRuntime: async (options) => recovering(await entry.openRuntime(options)) },
  });
  expect((await signalbox('exec', '--', 'true')).talk).toContain(SAID);
});

test('a coordinator writes nothing to its report pipe after the last message: the descriptor may be reused by then', () => {
  const { file, descriptor } = openScratch();
  const reporter = createStartReporter(descriptor);
  reporter.recovering(PROGRESS);
  reporter.started(null);
  const other = openSync(file, 'a');
  expect(other).toBe(descriptor);
  reporter.recovering(PROGRESS);
  reporter.started(null);
  closeSync(other);
  const words = readFileSync(file, 'utf8').trimEnd().split('\n').map(readStartReport);
  expect(words).toEqual([PROGRESS, 'ready']);
});

function openScratch() {
  const file = join(ownWorkspace(), 'words');
  return { file, descriptor: openSync(file, 'a') };
}

test(
  'a client that starts a coordinator with many earlier commands sees progress while they are read',
  { timeout: 240_000 },
  async () => {
    const world = backgroundWorld();
    const folder = join(world.directory, '.signalbox');
    makeOwnState(world.directory);
    const backend = await createEmbeddedBackend({
      folder,
      clock: world.clock,
      random: randomBytes,
      limits: { maxConcurrent: 3, maxQueuePerProvider: 1000, maxWaitMs: 60_000, leaseTtlMs: 30_000 },
      logger: createMemoryLogger(),
    });
    // Each of an unknown tool: recovered, then done.
    for (let n = 0; n < 450; n++)
      await backend.store.commit(aCommandRecord({ id: createId('command', randomBytes) }), []);
    await backend.close();
    const said: string[] = [];
    const say = (lines: readonly Line[]) => void said.push(screenText(lines, 200));
    const context = { ...world, say };
    await connectCoordinator(context, { what: 'work', start: true });
    expect(said[0]).toBe('recovering 0 of 450 earlier commands recovered; new calls queue behind them');
    expect(new Set(said).size).toBe(said.length);
  },
);

function recovering(runtime: Runtime): Runtime {
  const { coordinator } = runtime;
  const recovery = { ...coordinator.recovery, progress: () => PROGRESS };
  return { ...runtime, coordinator: { ...coordinator, recovery } };
}
