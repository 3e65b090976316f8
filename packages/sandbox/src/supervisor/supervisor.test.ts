import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createId, type Execution } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ExecutorOptions } from '../executor-options.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { isAlive, processesOfCommand } from '../process-tree/process-tree.ts';

const TTL_MS = 1500;

/** Retried, as these tests depend on the clock and the machine may be busy at one moment. */
const TIMED = { retry: 2 };

const WAYS: Partial<ExecutorOptions>[] = [
  { transactions: 'off' },
  { transactions: 'where-possible' },
  { confinement: 'off-by-operator' },
];

describe.each(WAYS)('a command whose coordinator is frozen (%j)', (way) => {
  let harness: SandboxHarness;
  beforeEach(() => {
    harness = createHarness(way);
  });
  afterEach(() => harness.close());

  type Leased = {
    readonly pid: number;
    readonly living: () => number;
    readonly pids: () => readonly number[];
    readonly ended: Promise<Execution>;
    signal(name: NodeJS.Signals): void;
  };

  /** Runs a line in a process of its own, and waits until it has this many processes. */
  async function runLeased(
    line: string,
    processes: number,
    { ttlMs = TTL_MS }: Readonly<{ ttlMs?: number }> = {},
  ): Promise<Leased> {
    const commandId = createId('command', randomBytes);
    const child = spawn(process.execPath, [RUN_LEASED, harness.optionsJson, line, commandId, String(ttlMs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = text(child.stdout).then((json) => JSON.parse(json || '{}') as Execution);
    const living = (): number => processesOfCommand(commandId).length;
    await expect.poll(living, { timeout: 30_000 }).toBeGreaterThanOrEqual(processes);
    const pids = (): readonly number[] => processesOfCommand(commandId);
    return { pid: child.pid ?? 0, living, pids, ended, signal: (name) => child.kill(name) };
  }

  test('is dead before its lease passes on, and its result has the reason', TIMED, async () => {
    const leased = await runLeased('sleep 600 & sleep 600', 3);
    const frozenAt = performance.now();
    leased.signal('SIGSTOP');
    await expect.poll(leased.living, { timeout: 30_000, interval: 5 }).toBe(0);
    const deadAfterMs = performance.now() - frozenAt;
    expect(deadAfterMs).toBeLessThan(TTL_MS);
    expect(deadAfterMs).toBeGreaterThan(TTL_MS / 3);
    leased.signal('SIGCONT');
    expect((await leased.ended).ended).toEqual({
      kind: 'stopped',
      why: expect.stringMatching(/^Its lease was not renewed for \d+\.\d s: Signalbox itself was frozen/),
    });
  });

  test('survives if the coordinator thaws in time and renews the lease', TIMED, async () => {
    // On a busy machine renewals are late too.
    const ttlMs = 2 * TTL_MS;
    const leased = await runLeased(`sleep ${(ttlMs * 1.2) / 1000}; echo done`, 2, { ttlMs });
    leased.signal('SIGSTOP');
    spawnSync('sleep', ['0.3']);
    leased.signal('SIGCONT');
    expect((await leased.ended).stdout.text).toBe('done\n');
  });

  test('is stopped when its supervisor is gone', async () => {
    const leased = await runLeased('sleep 600', 1);
    const supervisors = spawnSync('pgrep', ['-P', String(leased.pid), '-f', 'signalbox-supervisor'], {
      encoding: 'utf8',
    });
    process.kill(Number(supervisors.stdout), 'SIGKILL');
    expect((await leased.ended).ended).toMatchObject({
      kind: 'stopped',
      why: expect.stringContaining('no longer watched'),
    });
  });

  test('dies when its coordinator is killed', TIMED, async () => {
    const leased = await runLeased('sleep 600 & sleep 600', 3);
    // Checking every process of the machine would take too long.
    const known = leased.pids();
    leased.signal('SIGKILL');
    await leased.ended;
    const killedAt = performance.now();
    while (known.some(isAlive)) await new Promise((resolve) => setImmediate(resolve));
    expect(performance.now() - killedAt).toBeLessThan(200);
    expect(leased.living()).toBe(0);
  });
});

const RUN_LEASED = fileURLToPath(new URL('../testing/run-leased.ts', import.meta.url));
