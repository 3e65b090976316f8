import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { expect, inject, onTestFinished, test } from 'vitest';
import { clientAt } from './client-at.ts';
import { TEST_STATE } from '../testing/open-test-runtime.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { testProgram } from '../testing/programs/test-program.ts';
import { backgroundWorld, isDead, killed } from './testing/background-world.ts';
import { writeRecord } from '../runtime/server/coordinator-record.ts';
import { makeOwnState } from '../runtime/workspace/state-folder.ts';
import { findCoordinator } from './find-coordinator.ts';
import { untilGone } from './until-gone.ts';

/** Node.js arguments for a client process, which prints the coordinator it got. */
async function clientArgv(directory: string): Promise<readonly string[]> {
  return [await testProgram('connecting-client'), directory, inject('program')];
}

async function clientOf({ directory, env }: ReturnType<typeof backgroundWorld>): Promise<number> {
  const child = spawn(process.execPath, await clientArgv(directory), {
    env,
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  await once(child, 'close');
  return Number(out);
}

/** Runs a script in its own mount namespace; `"$@"` is a client, `$0` the folder. */
async function inNamespace(
  script: string,
  { folder, workspace }: Readonly<{ folder: string; workspace: string }>,
) {
  const client = await clientArgv(workspace);
  const argv = ['-m', 'sh', '-c', script, folder, process.execPath, ...client];
  const namespace = process.getuid?.() === 0 ? [] : ['-r'];
  const env = { ...process.env, XDG_CONFIG_HOME: `${folder}.config`, XDG_STATE_HOME: TEST_STATE };
  return spawnSync('unshare', [...namespace, ...argv], {
    cwd: import.meta.dirname,
    env,
    encoding: 'utf8',
    timeout: 50_000,
  });
}

test(
  'of many concurrent clients one starts a coordinator, and all use it',
  { timeout: 240_000 },
  async () => {
    const world = backgroundWorld();
    // Built before: it would take the processor from those who race.
    await clientArgv(world.directory);
    const here = Array.from({ length: 17 }, async () => (await world.connect()).pid);
    const pids = await Promise.all([...here, clientOf(world), clientOf(world), clientOf(world)]);
    expect(pids).toHaveLength(20);
    expect(new Set(pids).size).toBe(1);
    const started = readFileSync(join(world.directory, '.signalbox/run/coordinator.log'), 'utf8');
    expect(started).toBe('');
  },
);

test('it has no terminal, folder or environment of the client that started it', async () => {
  const world = backgroundWorld({
    OPENAI_API_KEY: 'sk-first-shell',
    LANG: 'C.UTF-8',
    NODE_OPTIONS: '--no-warnings',
  });
  const { pid } = await world.connect();
  expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  expect(environment).toContain('LANG=C.UTF-8');
  expect(environment.join()).not.toMatch(/sk-first-shell|NODE_OPTIONS|VITEST/);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [, , group, session, terminal] = stat;
  expect([group, session, terminal]).toEqual([`${pid}`, `${pid}`, '0']);
});

test('neither Ctrl-C in a client’s terminal nor the client’s end reaches it', async () => {
  const world = backgroundWorld();
  const script = '"$@"; kill -INT 0; kill -HUP 0';
  const argv = ['sh', '-c', script, 'sh', process.execPath, ...(await clientArgv(world.directory))];
  const shell = spawn('setsid', argv, { env: world.env, cwd: import.meta.dirname, stdio: 'ignore' });
  await once(shell, 'close');
  const found = await findCoordinator(world, 'look');
  expect(found?.hello.workspace).toBe(world.directory);
});

test('a killed coordinator is replaced, and what it left is no obstacle', async () => {
  const world = backgroundWorld();
  const first = await world.connect();
  await killed(first.pid);
  expect(existsSync(join(world.run, 'coordinator.sock'))).toBe(true);
  const second = await world.connect();
  expect(second.pid).not.toBe(first.pid);
  expect(await clientAt(second).getHealth()).toMatchObject({ status: 'ok' });
});

test('a record with a reused pid starts another coordinator, and kills no process', async () => {
  const world = backgroundWorld();
  await killed((await world.connect()).pid);
  const stranger = spawn('sleep', ['60']);
  onTestFinished(() => void stranger.kill('SIGKILL'));
  const file = join(world.run, 'coordinator.json');
  const record = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...record, pid: stranger.pid }));
  const next = await world.connect();
  expect(next.pid).not.toBe(stranger.pid);
  expect(stranger.exitCode).toBeNull();
  expect(stranger.signalCode).toBeNull();
});

test('a client killed while it starts one leaves nothing that blocks the next', async () => {
  const world = backgroundWorld();
  const options = { env: world.env, cwd: import.meta.dirname, stdio: 'ignore' } as const;
  const client = spawn(process.execPath, await clientArgv(world.directory), options);
  const lock = join(world.run, 'start.lock');
  await expect.poll(() => existsSync(lock), { timeout: 60_000, interval: 5 }).toBe(true);
  client.kill('SIGKILL');
  await once(client, 'close');
  const { pid } = await world.connect();
  expect((await findCoordinator(world, 'look'))?.hello.pid).toBe(pid);
});

test('the error of a failed start is the coordinator’s own, and leaves no lock', async () => {
  const world = backgroundWorld();
  writeFileSync(join(world.directory, 'signalbox.yaml'), 'mode: NOWHERE\n');
  await expect(world.connect()).rejects.toMatchObject({ message: expect.stringContaining('signalbox.yaml') });
  rmSync(join(world.directory, 'signalbox.yaml'));
  expect(existsSync(join(world.run, 'start.lock'))).toBe(false);
  await world.connect();
});

test('it starts even if the home folder is read-only', async () => {
  const { directory, run } = backgroundWorld();
  const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const pid = `$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/;q' ${run}/coordinator.json)`;
  const script = `mount -t tmpfs -o ro none "$0" && HOME=$0 XDG_STATE_HOME= XDG_CONFIG_HOME= "$@" && kill -9 ${pid}`;
  expect(await inNamespace(script, { folder: home, workspace: directory })).toMatchObject({
    stdout: expect.stringMatching(/^\d+$/),
  });
});

test('if background processes are killed at once, the error names the log and a way without one', async () => {
  const { directory, run } = backgroundWorld();
  const empty = mkdtempSync(join(tmpdir(), 'signalbox-empty-'));
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }));
  writeFileSync(join(empty, 'main.js'), '');
  const { stdout } = await inNamespace(`mount --bind "$0/main.js" '${inject('program')}' && "$@"`, {
    folder: empty,
    workspace: directory,
  });
  expect(stdout).toMatch(/^failed: Cannot start the coordinator: it exited immediately/);
  expect(stdout).toContain('signalbox serve --foreground');
  expect(stdout).toContain(join(run, 'coordinator.log'));
  expect(existsSync(join(run, 'start.lock'))).toBe(false);
});

test('a failed start with its own error also names the log', async () => {
  const world = backgroundWorld();
  makeOwnState(world.directory);
  mkdirSync(join(world.directory, '.signalbox/state.db'));
  const error = await world.connect().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnavailableError);
  expect(JSON.stringify(error)).toContain(join(world.run, 'coordinator.log'));
});

test('stop does not kill a process that reuses the pid of a dead coordinator', async () => {
  const world = backgroundWorld();
  const stranger = spawn('sleep', ['60']);
  onTestFinished(() => void stranger.kill('SIGKILL'));
  makeOwnState(world.directory);
  mkdirSync(world.run, { mode: 0o700 });
  writeRecord(world.directory, {
    nonce: 'dead',
    pid: stranger.pid ?? 0,
    process: null,
    version: '0.1.0',
    startedAt: 0,
    socket: join(world.run, 'coordinator.sock'),
  });
  const { signalbox } = createTestTerminal(world.directory);
  expect(await signalbox('stop', '--now')).toMatchObject({
    exit: 0,
    talk: expect.stringContaining('Nothing runs'),
  });
  expect(isDead(stranger.pid ?? 0)).toBe(false);
});

test('a coordinator that no client can find ends once it is unused (setting: coordinator.idle_exit)', async () => {
  const world = backgroundWorld();
  writeFileSync(join(world.directory, 'signalbox.yaml'), 'coordinator: { idle_exit: 400ms }\n');
  const { pid } = await world.connect();
  await expect.poll(() => isDead(pid), { timeout: 30_000 }).toBe(true);
  expect(await untilGone(pid, world)).toBe(true);
  expect(existsSync(join(world.run, 'coordinator.json'))).toBe(false);
  expect(existsSync(join(world.run, 'coordinator.sock'))).toBe(false);
});

test('on a full disk the start fails with the reason, and works when there is space', async () => {
  const mount = mkdtempSync(join(tmpdir(), 'signalbox-full-'));
  onTestFinished(() => rmSync(mount, { recursive: true, force: true }));
  const script = `
    mount -t tmpfs -o size=8m none "$0" && git init -q "$0"
    dd if=/dev/zero of="$0/filler" bs=4096 2>/dev/null
    "$@"; echo; ls "$0/.signalbox"; rm "$0/filler"; pid=$("$@"); echo "started $pid"; kill -9 $pid`;
  const { stdout } = await inNamespace(script, { folder: mount, workspace: mount });
  expect(stdout).toMatch(/^failed: .*(?:space|disk|full)/i);
  expect(stdout).not.toContain('lock');
  expect(stdout).toMatch(/^started \d+$/m);
});
