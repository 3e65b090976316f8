import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createId, type Execution, type ExecutionHooks, type ExecutionRequest } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { processesIn } from './testing/processes-in.ts';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';
import { CGROUP_VERSIONS } from './limits/cgroup-version.ts';
import { MAX_STREAMED_BYTES } from './output/output-store.ts';
import { isAlive, processesOfCommand, treeOf } from './process-tree/process-tree.ts';

describe.each(['off', 'where-possible'] as const)(
  'the tree of a confined command (transactions %s)',
  (transactions) => {
    let harness: SandboxHarness;
    beforeEach(() => {
      harness = createHarness({ transactions });
    });
    afterEach(() => harness.close());

    const run = (line: string, more: Partial<ExecutionRequest> = {}, hooks: Partial<ExecutionHooks> = {}) =>
      harness.run(line, more, hooks);

    test('leaves no process behind, however it was detached (L-39)', async () => {
      const commandId = createId('command', randomBytes);
      const line =
        'setsid sleep 600 & (setsid setsid sleep 600 &) ; nohup sleep 600 >/dev/null 2>&1 & ' +
        `node -e "require('child_process').spawn('sleep',['600'],{detached:true,stdio:'ignore'}).unref()"; echo away`;
      const done = await run(line, { commandId });
      expect(done.stdout.text).toBe('away\n');
      expect(processesOfCommand(commandId)).toEqual([]);
    });

    test('has no process left when its result arrives, however many were started', async () => {
      const commandId = createId('command', randomBytes);
      const line = 'for i in {1..150}; do setsid sleep 600 </dev/null &>/dev/null & done; true';
      const done = await run(line, { commandId });
      expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
      expect(processesOfCommand(commandId)).toEqual([]);
    });

    test('dies when we are killed, including every process', async () => {
      const commandId = createId('command', randomBytes);
      const line = 'setsid sleep 600 & sleep 600';
      const argv = [RUN_ONE, harness.optionsJson, line, JSON.stringify({ commandId })];
      const child = spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'] });
      const exited = new Promise((resolve) => child.once('exit', resolve));
      await expect.poll(() => processesOfCommand(commandId).length, { timeout: 30_000 }).toBe(3);
      const groups = groupsOf(processesOfCommand(commandId));
      child.kill('SIGKILL');
      await exited;
      const left = (): number => processesOfCommand(commandId).length + processesIn(harness.workspace).length;
      await expect.poll(left, { timeout: 30_000 }).toBe(0);
      await expect
        .poll(() => groups.filter((folder) => existsSync(folder ?? '')), { timeout: 30_000 })
        .toEqual([]);
    });

    test('leaves nothing behind when we are killed at any moment of its start', async () => {
      for (let round = 0; round < 6; round++) {
        const argv = [RUN_ONE, harness.optionsJson, 'sleep 600', '{}'];
        const child = spawn(process.execPath, argv, { stdio: ['ignore', 'inherit', 'inherit'] });
        const exited = new Promise((resolve) => child.once('exit', resolve));
        // Part of the tree has started and more is starting.
        const started = () => processesIn(harness.workspace, treeOf(child.pid ?? 0)).length;
        await expect.poll(started, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0);
        setTimeout(() => child.kill('SIGKILL'), round * 4);
        await exited;
        await expect.poll(() => processesIn(harness.workspace), { timeout: 60_000, interval: 5 }).toEqual([]);
      }
    });

    test('can be stopped at any moment of its start and returns a result', async () => {
      for (let afterMs = 0; afterMs < 24; afterMs++) {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), afterMs % 12);
        const done = await run('sleep 600', {}, { signal: controller.signal });
        expect(done.ended).toEqual({ kind: 'stopped' });
      }
    });

    test('can be stopped for its lease before it begins, without a confinement error', async () => {
      const lease = { remainingMs: () => -1, onRenewed: () => () => undefined };
      const done = await run('echo begun', {}, { lease, onStart: untilDead });
      expect(done).toMatchObject({ stdout: { text: '' }, ended: { kind: 'stopped' } });
      expect(done.ended).toHaveProperty('why', expect.stringMatching(/^Its lease was not renewed/));
    });

    test('can have a terminal of its own, with an empty input', async () => {
      const line = `test -t 0 && test -t 1 && test -t 2 && tty; echo "it's" err >&2; cat; exit 3`;
      const done = await run(line, { terminal: true });
      expect(done.stdout.text.replaceAll('\r', '')).toBe("/dev/pts/0\nit's err\n");
      expect(done.ended).toEqual({ kind: 'exited', exitCode: 3 });
      expect((await run('test -t 1 || echo none')).stdout.text).toBe('none\n');
    });

    test('ends a fork bomb by its process or time limit', async () => {
      const commandId = createId('command', randomBytes);
      const limits = { ...aShellRequest('').limits, processes: 60, timeoutMs: 1000 };
      // Bounded, so that a broken limit doesn't take the machine down.
      const done = await run('for i in {1..150}; do sleep 600 & echo $i; done', { commandId, limits });
      const started = Number(done.stdout.text.trim().split('\n').at(-1));
      const enforced = done.isolation.limits.processes.strength === 'enforced';
      expect(started).toBeLessThanOrEqual(enforced ? 60 : 150);
      expect(done.durationMs).toBeLessThan(10_000);
      expect(processesOfCommand(commandId)).toEqual([]);
    });

    test.for([
      ['an ordinary user', NOBODY],
      // As in `docker run --user 54321`.
      ['a user without an account', NAMELESS],
    ] as const)('runs as %s as well as root', ([, user], { skip }) => {
      if (!canBecome(user)) skip('needs root, and a checkout that others may read');
      spawnSync('chown', ['-R', `${user}:${user}`, harness.folder]);
      const done = runAs(user, harness, {
        line: 'id -u; echo x > mine; chmod 0 mine; cat /etc/shadow; echo $?; ls',
      });
      expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
      expect(done.stdout.text).toBe(`${user}\n1\nmine\n`);
      expect(statSync(join(harness.workspace, 'mine')).mode & 0o7777).toBe(0);
      const layer = transactions === 'off' ? 'bind' : 'overlay';
      expect(done.isolation).toMatchObject({ layer, limits: { processes: { strength: 'enforced' } } });
    });

    test('of an ordinary user cannot have more processes than its limit', ({ skip }) => {
      if (!canBecome(NOBODY)) skip('needs root, and a checkout that others may read');
      spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, harness.folder]);
      const limits = { ...aShellRequest('').limits, processes: 40 };
      // Ended at the first failed fork: bash would retry for longer than the test lasts.
      const line = 'exec 2> >(read -r; kill -KILL $$); for i in {1..100}; do sleep 600 & echo $i; done';
      const done = runAs(NOBODY, harness, { line, request: { limits } });
      const started = Number(done.stdout.text.trim().split('\n').at(-1));
      expect(done.ended).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
      expect(started).toBeGreaterThan(20);
      expect(started).toBeLessThan(40);
    });

    const FAKES = {
      'that is missing': null,
      'that fails': 'echo "bwrap: no namespaces here" >&2; exit 1',
      'that does nothing': 'exit 0',
      'that confines nothing':
        'while [ "$1" != -- ]; do shift; done; shift; echo "{ \\"child-pid\\": $$ }" >&5; exec "$@"',
    };

    test.for(Object.entries(FAKES))('is rejected and not run with a bubblewrap %s', async ([, script]) => {
      const bubblewrap = join(harness.folder, 'bwrap');
      if (script !== null) writeFileSync(bubblewrap, `#!/bin/bash\n${script}\n`, { mode: 0o755 });
      const broken = createHarness({ bubblewrap, transactions });
      await expect(broken.run('touch ran')).rejects.toMatchObject({
        code: 'sandbox_error',
        next: expect.arrayContaining(['signalbox doctor']),
      });
      expect(readdirSync(broken.workspace)).toEqual(['.signalbox']);
      await broken.close();
    });

    test('that prints without end does not grow our memory, since it waits for us', () => {
      const child = (bytes: number): Execution & { peakKib: number; heardBytes: number } => {
        const argv = [RUN_ONE, harness.optionsJson, `yes | head -c ${bytes}`];
        return JSON.parse(spawnSync(process.execPath, argv, { encoding: 'utf8', timeout: 60_000 }).stdout);
      };
      const [little, much] = [child(1000), child(600_000_000)];
      expect(much.ended).toEqual({ kind: 'exited', exitCode: 0 });
      expect(much.stdout).toMatchObject({ totalBytes: 600_000_000, truncated: true });
      expect(much.heardBytes).toBeGreaterThanOrEqual(MAX_STREAMED_BYTES);
      expect(much.heardBytes).toBeLessThan(2 * MAX_STREAMED_BYTES);
      // Above the spill bound the file would not hold the full text.
      expect(much.stdout.spillFile).toBeUndefined();
      expect(much.peakKib - little.peakKib).toBeLessThan(32 * 1024);
    });
  },
);

const RUN_ONE = inject('runOne');

/** The control group folders of these processes. */
function groupsOf(pids: readonly number[]): (string | null)[] {
  const named = pids.map((pid) => readFileSync(`/proc/${pid}/cgroup`, 'utf8'));
  const folders = CGROUP_VERSIONS.flatMap(({ parents }) => {
    try {
      return named.flatMap((groups) => Object.values(parents(groups)));
    } catch {
      // Another cgroup version.
      return [];
    }
  });
  return folders.filter((folder) => folder?.includes('/signalbox-'));
}

const NOBODY = 65_534;
const NAMELESS = 54_321;

function canBecome(uid: number): boolean {
  return (
    spawnSync('/usr/bin/setpriv', [`--reuid=${uid}`, '--clear-groups', 'test', '-r', RUN_ONE]).status === 0
  );
}

function runAs(
  uid: number,
  harness: SandboxHarness,
  { line, request = {} }: Readonly<{ line: string; request?: Partial<ExecutionRequest> }>,
): Execution {
  const argv = [
    `--reuid=${uid}`,
    `--regid=${uid}`,
    '--clear-groups',
    process.execPath,
    RUN_ONE,
    harness.optionsJson,
    line,
    JSON.stringify(request),
  ];
  const child = spawnSync('/usr/bin/setpriv', argv, {
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  return JSON.parse(child.stdout || `{"stdout":{"text":${JSON.stringify(child.stderr)}}}`) as Execution;
}

/** Blocks our own process meanwhile. */
function untilDead(pid: number): void {
  const until = performance.now() + 30_000;
  while (isAlive(pid) && performance.now() < until);
}
