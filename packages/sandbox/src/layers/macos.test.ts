import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createId } from '@signalbox/core';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { diagnose } from '../diagnose.ts';
import type { ExecutorOptions } from '../executor-options.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { systemClock } from '../testing/system-clock.ts';
import { processesOfCommand } from '../process-tree/process-tree.ts';
import { findRuntime } from './macos.ts';
import { runtimeConfiguration } from '../runtime/runtime-configuration.ts';

const RUN_ONE = inject('runOne');
const NEEDED = ['bwrap', 'socat', 'rg'].map((name) => `/usr/bin/${name}`);

describe('a command in the third-party sandbox runtime, on Linux', () => {
  let harness: SandboxHarness;
  beforeEach(({ skip }) => {
    const missing = NEEDED.filter((program) => !existsSync(program));
    if (missing.length > 0) skip(`not installed: ${missing.join(', ')}`);
    harness = createHarness({ sandboxRuntime: 'only' });
  });
  afterEach(() => harness?.close());

  test('returns output and exit code, and names its backend', async () => {
    mkdirSync(join(harness.workspace, 'below'));
    const line =
      'read -r word; echo "$word $ONE"; pwd; ulimit -n; echo two >f; echo err >/dev/stderr; exit 3';
    const done = await harness.run(line, { cwd: 'below', env: { ONE: "1 '2'" }, stdin: 'given\n' });
    expect(done.ended).toEqual({ kind: 'exited', exitCode: 3 });
    expect(done.stdout.text).toBe(`given 1 '2'\n${harness.workspace}/below\n256\n`);
    expect(done.stderr.text).toBe('err\n');
    expect(readFileSync(join(harness.workspace, 'below/f'), 'utf8')).toBe('two\n');
    expect(done.isolation).toMatchObject({ layer: 'macos', backend: '@anthropic-ai/sandbox-runtime' });
  });

  test('reads no secret or state of ours, writes only the workspace, and has no network', async () => {
    writeFileSync(join(harness.workspace, '.env'), 'KEY=leaked');
    writeFileSync(join(harness.home, 'private'), 'leaked');
    const line =
      `cat .env ${harness.home}/private .signalbox/kernel-time; echo new >.env; echo new >.signalbox/new;` +
      ` touch ../x /etc/x ${harness.home}/x; cat </dev/tcp/127.0.0.1/22; echo done`;
    const done = await harness.run(line);
    expect(done.stdout.text).toBe('done\n');
    expect(done.stderr.text).toMatch(/127\.0\.0\.1.*(?:refused|unreachable)/);
    expect(readFileSync(join(harness.workspace, '.env'), 'utf8')).toBe('KEY=leaked');
    expect(readdirSync(join(harness.workspace, '.signalbox'))).not.toContain('new');
    expect(readdirSync(harness.folder).toSorted()).toEqual(['home', 'workspace']);
    expect(readdirSync(harness.home)).toEqual(['private']);
  });

  test('cannot write to a read-only workspace, and is denied a network', async () => {
    const done = await harness.run('touch f', { workspace: 'read' });
    expect(done.ended).toEqual({ kind: 'exited', exitCode: 1 });
    expect(existsSync(join(harness.workspace, 'f'))).toBe(false);
    await expect(harness.run('true', { network: 'on' })).rejects.toMatchObject({
      code: 'command_not_confined',
      message: expect.stringContaining('has no network'),
    });
  });

  test('is stopped with all its processes, and dies with its coordinator', async () => {
    const line = '(trap "" TERM; sleep 600) & sleep 600';
    const commandId = createId('command', randomBytes);
    const controller = new AbortController();
    const running = harness.run(line, { commandId }, { signal: controller.signal });
    await expect.poll(() => processesOfCommand(commandId).length, { timeout: 30_000 }).toBeGreaterThan(2);
    controller.abort();
    expect((await running).ended).toEqual({ kind: 'stopped' });
    expect(processesOfCommand(commandId)).toEqual([]);

    const other = createId('command', randomBytes);
    const argv = [RUN_ONE, harness.optionsJson, line, JSON.stringify({ commandId: other })];
    const child = spawn(process.execPath, argv, { stdio: 'ignore' });
    await expect.poll(() => processesOfCommand(other).length, { timeout: 30_000 }).toBeGreaterThan(2);
    child.kill('SIGKILL');
    await expect.poll(() => processesOfCommand(other), { timeout: 30_000 }).toEqual([]);
  });
});

test('doctor names the backend of the layer', async ({ skip }) => {
  if (NEEDED.some((program) => !existsSync(program))) skip('not installed');
  const harness = createHarness({ sandboxRuntime: 'only' });
  const options = { ...(JSON.parse(harness.optionsJson) as ExecutorOptions), clock: systemClock };
  const all = await diagnose(options);
  await harness.close();
  expect(all.find(({ id }) => id === 'layer macos')).toMatchObject({
    ok: true,
    why: 'Used: @anthropic-ai/sandbox-runtime, tested. By @anthropic-ai/sandbox-runtime',
  });
});

test('a missing runtime is rejected with a fix', () => {
  expect(() => findRuntime('file:///nowhere/at/all.js')).toThrow(
    expect.objectContaining({
      code: 'sandbox_error',
      message: 'Cannot run commands: "@anthropic-ai/sandbox-runtime" is not installed beside Signalbox',
      next: ['Install it where Signalbox is: npm install @anthropic-ai/sandbox-runtime'],
    }),
  );
});

test('the runtime gets the same masks and workspace as bubblewrap', () => {
  const mounts = [
    ['--ro-bind', '/', '/', '--size', '9', '--tmpfs', '/tmp', '--size', '9', '--tmpfs', '/home/me'],
    ['--ro-bind', '/dev/null', '/etc/shadow', '--ro-bind', '/home/me/.nvm', '/home/me/.nvm'],
    ['--bind', '/home/me/w', '/home/me/w', '--ro-bind', '/home/me/w/.git/config', '/home/me/w/.git/config'],
    ['--ro-bind', '/dev/null', '/home/me/w/.env', '--tmpfs', '/home/me/w/.signalbox', '--remount-ro'],
  ].flat();
  expect(
    runtimeConfiguration(mounts, {
      workspace: '/home/me/w',
      isMasked: (path) => path !== '/tmp',
      readable: ['/home/me/w/.signalbox/gitconfig'],
    }),
  ).toEqual({
    network: { allowedDomains: [], deniedDomains: [] },
    filesystem: {
      denyRead: ['/home/me', '/etc/shadow', '/home/me/w/.env', '/home/me/w/.signalbox'],
      allowRead: ['/home/me/w', '/home/me/.nvm', '/home/me/w/.signalbox/gitconfig'],
      allowWrite: ['/home/me/w'],
      denyWrite: ['/home/me/w/.git/config', '/home/me/w/.env', '/home/me/w/.signalbox'],
    },
  });
});
