import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { MAIN } from '../../testing/agent.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import { backgroundWorld, isDead } from '../../client/testing/background-world.ts';
import { clientAt } from '../../client/client-at.ts';
import { findLocalAccess } from '../../runtime/server/local-access.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

/** `signalbox serve` as a process of its own, and the address that it prints. */
async function serving({ directory, env }: ReturnType<typeof backgroundWorld>, ...flags: readonly string[]) {
  const argv = [MAIN, '-C', directory, 'serve', '--port', '0', '--json', ...flags];
  const server = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  const [first] = (await once(createInterface(server.stdout), 'line')) as [string];
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(first));
  return { server, url };
}

const answers = (url: string) =>
  fetch(`${url}/health`).then(
    ({ status }) => status,
    () => 0,
  );

test('serve opens the port of the running coordinator; Ctrl-C closes the port, and the coordinator continues', async () => {
  const world = backgroundWorld();
  const { pid } = await world.connect();
  const { server, url } = await serving(world);
  expect(await answers(url)).toBe(200);
  expect((await fetch(`${url}/api/mode`)).status).toBe(401);
  expect(findLocalAccess(world.directory)).toMatchObject({ url, pid });
  const token = findLocalAccess(world.directory)?.token;
  const elsewhere = await fetch(`${url}/api/ports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ host: '127.0.0.1', port: 0, allowedHosts: [], tls: null, allowPlainHttp: false }),
  });
  expect(elsewhere.status).toBe(403);
  server.kill('SIGINT');
  expect(await once(server, 'exit')).toEqual([0, null]);
  await expect.poll(() => answers(url), { timeout: 20_000 }).toBe(0);
  expect((await findCoordinator(world, 'look'))?.hello.pid).toBe(pid);
  expect(findLocalAccess(world.directory)).toBeNull();
});

test('serve starts a coordinator if none runs, and killing serve closes its port', async () => {
  const world = backgroundWorld();
  const { server, url } = await serving(world);
  expect(await answers(url)).toBe(200);
  server.kill('SIGKILL');
  await expect.poll(() => answers(url), { timeout: 20_000 }).toBe(0);
  expect(await findCoordinator(world, 'look')).not.toBeNull();
});

test('serve ends with exit code 6 when its coordinator is killed, and the next serve starts another', async () => {
  const world = backgroundWorld();
  const { server, url } = await serving(world);
  const { pid } = await world.connect();
  process.kill(pid, 'SIGKILL');
  expect(await once(server, 'exit')).toEqual([6, null]);
  expect(await answers(url)).toBe(0);
  const next = await serving(world);
  expect(await answers(next.url)).toBe(200);
  expect((await findCoordinator(world, 'look'))?.hello.pid).not.toBe(pid);
});

test('serve --foreground is one coordinator on the socket and on its port, and stop ends it', async () => {
  const world = backgroundWorld();
  const { server, url } = await serving(world, '--foreground');
  const token = findLocalAccess(world.directory)?.token;
  const headers = { authorization: `Bearer ${token}` };
  const onPort = z
    .object({ coordinator: z.object({ pid: z.number(), subcommand: z.string() }) })
    .parse(await (await fetch(`${url}/api/status`, { headers })).json());
  expect(onPort.coordinator).toMatchObject({ pid: server.pid, subcommand: 'serve' });
  const terminal = createTestTerminal(world.directory);
  const status = await terminal.signalbox('status');
  expect(status.out).toContain(`coordinator: process ${server.pid}`);
  expect(status.out).toContain(url);
  expect((await terminal.signalbox('stop')).exit).toBe(0);
  expect(await once(server, 'exit')).toEqual([0, null]);
  expect(await answers(url)).toBe(0);
});

test('stop ends an idle coordinator, and says so if none runs', async () => {
  const world = backgroundWorld();
  const { pid } = await world.connect();
  const terminal = createTestTerminal(world.directory);
  expect((await terminal.signalbox('status')).out).toMatch(
    new RegExp(`^coordinator: process ${pid} · since .* · stops 15m after its last client$`, 'm'),
  );
  expect(await terminal.signalbox('stop', '--json')).toMatchObject({
    exit: 0,
    out: `${JSON.stringify({ stopped: true, pid })}\n`,
  });
  await expect.poll(() => isDead(pid), { timeout: 20_000 }).toBe(true);
  expect(existsSync(join(world.run, 'coordinator.json'))).toBe(false);
  expect((await terminal.signalbox('stop')).talk).toContain('Nothing runs');
});

test('stop waits for commands, begins nothing new meanwhile, and with --now does not wait', async () => {
  const world = backgroundWorld();
  const access = await world.connect();
  const submit = (line: string) => clientAt(access).submitCommand({ tool: 'bash', args: { line } });
  await submit('sleep 600');
  let said = '';
  const terminal = createTestTerminal(world.directory, {
    onAsked: () => undefined,
    onSay: (text) => {
      said += text;
    },
  });
  const stopping = terminal.signalbox('stop');
  await expect.poll(() => said, { timeout: 20_000 }).toContain('draining: 1 command running');
  await expect(submit('true')).rejects.toMatchObject({ code: 'draining' });
  expect(isDead(access.pid)).toBe(false);
  expect(said).toContain('Ctrl-C stops waiting; signalbox stop --now');
  expect((await terminal.signalbox('stop', '--now')).exit).toBe(0);
  expect((await stopping).exit).toBe(0);
  await expect.poll(() => isDead(access.pid), { timeout: 20_000 }).toBe(true);
});

test('stop names the approvals that it waits for, and with --now those that it leaves', async () => {
  const world = backgroundWorld();
  const access = await world.connect();
  const asked = await clientAt(access).submitCommand({
    tool: 'bash',
    args: { line: 'npm install zod@4' },
  });
  let said = '';
  const terminal = createTestTerminal(world.directory, {
    onSay: (text) => {
      said += text;
    },
  });
  const stopping = terminal.signalbox('stop');
  await expect.poll(() => said, { timeout: 20_000 }).toContain('signalbox stop --now');
  expect(said).toMatch(/^Waiting until they finish, without a time limit; signalbox stop --now/m);
  const { id: name } = asked;
  expect(said).toContain(`Pending approval: ${name} you  bash npm install zod@4`);
  expect(said).toContain(`signalbox approve ${name}`);
  const now = await terminal.signalbox('stop', '--now');
  expect(now.talk).toContain(`Not answered: ${name} you  bash npm install zod@4`);
  await stopping;
  const next = clientAt(await world.connect());
  expect(await next.getCommand({ id: name })).toMatchObject({ state: 'awaiting_approval' });
});

test('stop --now ends the coordinator of an exec --unconfined, and its running commands', async () => {
  const world = backgroundWorld();
  const argv = [MAIN, '-C', world.directory, 'exec', '--unconfined', '--', 'sleep 600'];
  const exec = spawn(process.execPath, argv, { env: world.env, stdio: 'ignore' });
  onTestFinished(() => void exec.kill('SIGKILL'));
  const exited = once(exec, 'exit');
  const running = async () => {
    const found = await findCoordinator(world, 'look');
    return found === null ? 0 : (await clientAt(found.access).getStatus()).counts.running;
  };
  await expect.poll(running, { timeout: 60_000 }).toBe(1);
  expect((await createTestTerminal(world.directory).signalbox('stop', '--now')).exit).toBe(0);
  expect(await exited).toEqual([130, null]);
});

test.for([['serve', '--foreground', '--port', '0'], ['coordinator']])(
  '%s ends by its deadline, whatever its stop waits for (F-W10)',
  async (argv) => {
    const world = backgroundWorld();
    // Makes its 20 s pass at once.
    const hasty = join(world.directory, 'hasty.mjs');
    writeFileSync(
      hasty,
      'const real = setTimeout; globalThis.setTimeout = (f, ms, ...a) => real(f, ms === 20_000 ? 0 : ms, ...a);',
    );
    const options = ['--import', hasty, MAIN, '-C', world.directory, ...argv];
    const server = spawn(process.execPath, options, {
      env: world.env,
      // No process waits for its start report, as when a user types it.
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(() => void server.kill('SIGKILL'));
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    await expect
      .poll(async () => (await findCoordinator(world, 'look'))?.hello.pid, { timeout: 60_000 })
      .toBe(server.pid);
    server.kill('SIGTERM');
    expect(await once(server, 'close')).toEqual([1, null]);
    expect(said).toContain('not stopped after 20 s');
  },
);
