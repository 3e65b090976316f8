import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createSystemClock } from '@signalbox/embedded';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import { ANY_PORT, openPort } from '../../client/open-port.ts';
import { backgroundWorld } from '../../client/testing/background-world.ts';
import { NOTES_SERVER, notesServerFiles } from './testing/notes-server.ts';
import { createTestWorkspace } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { configHomeOf, writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { removeWorkspace } from '../../testing/remove-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

function transportTo(workspace: string, provider: string): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, '-C', workspace, 'mcp', '--provider', provider],
    env: { ...getDefaultEnvironment(), XDG_CONFIG_HOME: configHomeOf(workspace) },
    stderr: 'ignore',
  });
}

type Agent = Readonly<{ call(line: unknown): Promise<unknown>; pid: number; leave(): Promise<void> }>;

async function startAgent(workspace: string, provider: string): Promise<Agent> {
  const transport = transportTo(workspace, provider);
  const client = new Client({ name: provider, version: '1.0.0' });
  await client.connect(transport);
  return {
    call: (line) => client.callTool({ name: 'signalbox_bash', arguments: { line } }),
    pid: transport.pid ?? 0,
    leave: () => client.close(),
  };
}

const said = (text: string): object => ({
  content: [{ type: 'text', text: expect.stringContaining(`\nexit code: 0\nstdout:\n${text}\n`) }],
});

test('agents started for one workspace work in it together, even if the first dies or one sends nonsense', async () => {
  const workspace = createTestWorkspace({ 'signalbox.yaml': '{}\n' });
  const first = await startAgent(workspace, 'claude-code');
  const second = await startAgent(workspace, 'codex');
  try {
    expect(await first.call('echo first')).toMatchObject(said('first'));
    expect(await second.call('echo second')).toMatchObject(said('second'));
    const deep: unknown = JSON.parse('['.repeat(200) + ']'.repeat(200));
    expect(await second.call(deep)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('nest more than 100 deep') }],
    });
    expect(await second.call(Array.from({ length: 60_000 }, () => 0))).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('hold more than 50000 values') }],
    });
    process.kill(first.pid, 'SIGKILL');
    expect(await second.call('echo alone')).toMatchObject(said('alone'));
  } finally {
    await second.leave();
    await first.leave();
    removeWorkspace(workspace);
  }
});

test('an agent that disconnects leaves no call behind: its waiting calls are cancelled', async () => {
  await using own = await openTestServer({ settings: { approval: { prompt_on_warning: true } } });
  const agent = await startAgent(own.of.workspace, 'codex');
  const answer = agent.call('touch x').catch(() => undefined);
  const asked = await own.of.event('approval_requested');
  await agent.leave();
  await answer;
  await own.of.ended(asked.commandId);
  expect(await own.of.runtime.coordinator.status(asked.commandId)).toMatchObject({
    result: { outcome: { kind: 'cancelled' } },
  });
});

test('over HTTP an agent connects with an address and a token, which end with the subcommand', async () => {
  const workspace = ownWorkspace({ 'signalbox.yaml': '{}\n' });
  let stop: () => void = () => undefined;
  const printed = Promise.withResolvers<string>();
  const { signalbox } = createTestTerminal(workspace, {
    onPrint: printed.resolve,
    interrupts: {
      raise: () => undefined,
      listen(listener) {
        stop = () => listener(1, 'SIGINT');
        return () => undefined;
      },
    },
  });
  const ending = signalbox('mcp', '--http', '--provider', 'codex');
  const [url = '', header = ''] = (
    await Promise.race([printed.promise, ending.then(({ talk }) => talk)])
  ).split('\n');
  const [name = '', value = ''] = header.split(': ');
  const client = new Client({ name: 'codex', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { [name]: value } } }),
  );
  const call = { name: 'signalbox_bash', arguments: { line: 'echo over http' } };
  expect(await client.callTool(call)).toMatchObject(said('over http'));
  await client.close();
  stop();
  expect((await ending).exit).toBe(0);
  // The coordinator revokes it once it has noticed that the subcommand is gone.
  await expect
    .poll(async () => (await signalbox('token', 'list')).out, { timeout: 30_000 })
    .toContain('No access tokens');
});

test('over HTTP with a coordinator in the background, the address and the token last until the subcommand is stopped (A-B7)', async () => {
  const world = backgroundWorld();
  const { pid } = await world.connect();
  const argv = [MAIN, '-C', world.directory, 'mcp', '--http', '--provider', 'codex'];
  const child = spawn(process.execPath, argv, { env: world.env, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const url = new URL(String((await lines.next()).value));
  const [name = '', value = ''] = String((await lines.next()).value).split(': ');
  const client = new Client({ name: 'codex', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { [name]: value } } }),
  );
  const call = { name: 'signalbox_bash', arguments: { line: 'echo joined' } };
  expect(await client.callTool(call)).toMatchObject(said('joined'));
  await client.close();
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  await expect.poll(() => fetch(url).catch(() => 'closed'), { timeout: 20_000 }).toBe('closed');
  expect((await world.connect()).pid).toBe(pid);
  expect((await createTestTerminal(world.directory).signalbox('token', 'list')).out).toContain(
    'No access tokens',
  );
});

test('an agent of 2026 with a persistent connection is notified when tools change too, and sees the current ones', async () => {
  const workspace = createTestWorkspace(await notesServerFiles());
  const notes = { ...NOTES_SERVER, policy: 'auto', category: 'read_only' };
  await writeOwnSettings(workspace, { text: JSON.stringify({ mcp_servers: { notes } }) });
  const reported = vi.fn<() => void>();
  const client = new Client(
    { name: 'claude-code', version: '1.0.0' },
    {
      versionNegotiation: { mode: { pin: '2026-07-28' } },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: reported } },
    },
  );
  await client.connect(transportTo(workspace, 'claude-code'));
  const saysOf = async (): Promise<string | undefined> =>
    (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.find(
      ({ name }) => name === 'signalbox_mcp__notes__echo',
    )?.description;
  try {
    await vi.waitFor(async () => expect(await saysOf()).toContain('Says it again'), 60_000);
    reported.mockClear();
    await client.callTool({ name: 'signalbox_mcp__notes__rename', arguments: { to: 'Says it twice' } });
    await vi.waitFor(async () => expect(await saysOf()).toContain('Says it twice'), 20_000);
    await vi.waitFor(() => expect(reported).toHaveBeenCalled(), 20_000);
  } finally {
    await client.close();
    removeWorkspace(workspace);
  }
}, 120_000);

test('instructions to an agent follow the current settings and ports, without a restart (setting: mcp.max_wait, mcp.max_result_chars)', async () => {
  const workspace = ownWorkspace({ 'signalbox.yaml': '{}\n' });
  const settle = (mcp: object) =>
    writeOwnSettings(workspace, { text: JSON.stringify({ approval: { prompt_on_warning: true }, mcp }) });
  await settle({ max_wait: '1s', ask_in_agent: false });
  const agent = await startAgent(workspace, 'codex');
  onTestFinished(agent.leave);
  const reported = async (line: string): Promise<string> => JSON.stringify(await agent.call(line));
  expect(await reported('touch a')).toContain('or in the dashboard: `signalbox dashboard`');
  const world = { directory: workspace, clock: createSystemClock() };
  const found = await findCoordinator(world, 'look');
  if (found === null) throw new Error('nothing runs');
  const { url } = await openPort(found.access, ANY_PORT, { until: 'coordinator-ends' });
  expect(await reported('touch b')).toContain(`or in the dashboard: ${url}/#/approvals/cmd_`);
  expect(await reported('seq 1 4000')).toMatch(/3999/);
  await settle({ max_wait: '1s', ask_in_agent: false, max_result_chars: 3000 });
  await vi.waitFor(async () => expect(await reported('seq 1 4000')).toContain('left out here'), 60_000);
}, 120_000);
