import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createId } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { dockerEngine, podmanEngine, type TestEngine } from '../testing/container-engine.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { CGROUP_VERSIONS, CPU_PERIOD_US } from '../limits/cgroup-version.ts';
import { processesOfCommand } from '../process-tree/process-tree.ts';

const ENGINES = { podman: podmanEngine, docker: dockerEngine };

describe.each(Object.entries(ENGINES))('a command in a container of %s', (name, start) => {
  let engine: TestEngine | null = null;
  let harness: SandboxHarness;
  beforeAll(async () => {
    engine = await start();
  });
  afterAll(() => engine?.close());
  beforeEach(({ skip }) => {
    const container = engine ?? skip(`${name} can not be used on this machine`);
    // Without bubblewrap only the container layer is left.
    harness = createHarness({ container, bubblewrap: '/nonexistent/bwrap', transactions: 'where-possible' });
  });
  afterEach(() => harness?.close());

  test('is confined, proved by a trial, and names its engine (S000-61, S003-80)', async () => {
    mkdirSync(join(harness.workspace, 'below'));
    writeFileSync(join(harness.workspace, 'below', 'a'), 'one\n');
    let quotaUs = 0;
    const onStart = (pid: number): void => {
      quotaUs = cpuQuotaOf(pid);
    };
    const line = 'echo two >>a; cat a; echo err >/dev/stderr; pwd; exit 3';
    const limits = { ...aShellRequest('').limits, cpuPercent: 40 };
    const done = await harness.run(line, { cwd: 'below', limits }, { onStart });
    expect(quotaUs).toBeCloseTo(0.4 * availableParallelism() * CPU_PERIOD_US, -3);
    expect(done.ended).toEqual({ kind: 'exited', exitCode: 3 });
    expect(done.stdout.text).toBe(`one\ntwo\n${harness.workspace}/below\n`);
    expect(done.stderr.text).toBe('err\n');
    expect(readFileSync(join(harness.workspace, 'below', 'a'), 'utf8')).toBe('one\ntwo\n');
    expect(done.changes?.map(({ path, kind }) => `${kind} ${path}`)).toEqual(['modified below/a']);
    expect(done.isolation).toMatchObject({
      tracking: { strength: 'sampled' },
      limits: { cpu: { strength: 'enforced' }, memory: { strength: 'enforced' } },
      layer: 'container',
      backend: expect.stringMatching(new RegExp(name, 'i')),
    });
    const few = { ...limits, writtenFiles: 50 };
    const many = await harness.run('i=0; while :; do i=$((i+1)); : >f$i; done', { limits: few });
    expect(many.ended).toEqual({ kind: 'limited', limit: 'max_written_files' });
    // This layer has no network gate.
    await expect(harness.run('true', { network: { hosts: [] } })).rejects.toMatchObject({
      code: 'command_not_confined',
      message: expect.stringMatching(
        /^Cannot (?:filter the network|run the command: containers have no gate)/,
      ),
    });
  });

  test('reads no secret, state or file of the machine, and writes only the workspace', async () => {
    writeFileSync(join(harness.workspace, '.env'), 'KEY=leaked');
    writeFileSync(join(harness.home, 'private'), 'leaked');
    const line =
      `cat .env; cat ${harness.home}/private; ls -A .signalbox; ls /run/signalbox; ` +
      'touch /etc/x /x; grep CapEff /proc/self/status; touch s; chmod 4755 s; cat < /dev/tcp/127.0.0.1/22';
    const { stdout, stderr } = await harness.run(line);
    expect(stdout.text).toBe('CapEff:\t0000000000000000\n');
    expect(stderr.text).not.toContain('leaked');
    expect(stderr.text).toContain("touch: cannot touch '/etc/x': Read-only file system");
    expect(stderr.text).toMatch(/127\.0\.0\.1.*(?:refused|unreachable)/);
    expect(stderr.text).toMatch(/chmod: changing permissions of 's': Operation not permitted/);
  });

  test('is stopped with all its processes, and its container is removed', async () => {
    const commandId = createId('command', randomBytes);
    const controller = new AbortController();
    const running = harness.run(
      '(trap "" TERM; sleep 600) & sleep 600',
      { commandId },
      { signal: controller.signal },
    );
    await expect.poll(() => processesOfCommand(commandId).length, { timeout: 60_000 }).toBeGreaterThan(1);
    controller.abort();
    expect((await running).ended).toEqual({ kind: 'stopped' });
    expect(processesOfCommand(commandId)).toEqual([]);
  });

  test('reads its input, and prints more than a pipe holds', async () => {
    const done = await harness.run('cat; yes | head -c 3000000', { stdin: 'given\n' });
    expect(done).toMatchObject({ ended: { kind: 'exited', exitCode: 0 }, stderr: { text: '' } });
    expect(done.stdout.text.startsWith('given\n')).toBe(true);
    expect(done.stdout.totalBytes).toBe(3_000_006);
  });

  test('dies with its coordinator', async () => {
    const commandId = createId('command', randomBytes);
    const child = spawn(
      process.execPath,
      [RUN_ONE, harness.optionsJson, 'sleep 600 & sleep 600', JSON.stringify({ commandId })],
      {
        stdio: 'ignore',
      },
    );
    await expect.poll(() => processesOfCommand(commandId).length, { timeout: 60_000 }).toBeGreaterThan(1);
    child.kill('SIGKILL');
    await expect.poll(() => processesOfCommand(commandId), { timeout: 30_000 }).toEqual([]);
  });
});

/** CPU quota per scheduling period. */
function cpuQuotaOf(pid: number): number {
  const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  for (const version of CGROUP_VERSIONS) {
    try {
      return parseInt(readFileSync(join(version.parents(groups).cpu ?? '', version.cpuLimit), 'utf8'), 10);
    } catch {
      // Another cgroup version.
    }
  }
  return 0;
}

const RUN_ONE = inject('runOne');
