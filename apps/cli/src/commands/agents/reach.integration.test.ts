import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ProviderId } from '@signalbox/core';
import { createSystemClock } from '@signalbox/embedded';
import { ANY_PORT, openPort } from '../../client/open-port.ts';
import { backgroundWorld, killed } from '../../client/testing/background-world.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestWorkspace } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { removeWorkspace } from '../../testing/remove-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { tryStarter } from './try-starter.ts';

let workspace = '';
beforeEach(() => {
  workspace = createTestWorkspace();
});
afterEach(() => removeWorkspace(workspace));

const connect = (...argv: string[]) => createTestTerminal(workspace).signalbox('connect', ...argv);
/** Exits at once: most of these tests need no agent to start Signalbox. */
const STARTER = ['--command', 'true'];
const textOf = (path: string): string => readFileSync(join(workspace, path), 'utf8');

test('the program is written with absolute paths and its workspace, so that an icon or an IDE can start it (A: WEAK on PATH)', async () => {
  mkdirSync(join(workspace, 'packages/api'), { recursive: true });
  const there = createTestTerminal(join(workspace, 'packages/api'));
  await there.signalbox('connect', 'claude-code', '--write');
  const { mcpServers } = JSON.parse(textOf('.mcp.json')) as {
    mcpServers: { signalbox: Record<string, unknown> };
  };
  const { command, args } = mcpServers.signalbox as { command: string; args: readonly string[] };
  expect(command).toBe(process.execPath);
  expect(args.slice(-5)).toEqual(['-C', workspace, 'mcp', '--provider', 'claude-code']);
  // From anywhere, with only the variables that every program of this account gets.
  const clock = createSystemClock();
  const tried = await tryStarter([command, ...args], { cwd: '/', env: { HOME: workspace }, clock });
  expect(tried).toMatchObject({ kind: 'answered', tools: expect.arrayContaining(['signalbox_bash']) });
});

test('committed settings turn off everyone’s own tools: a note says so, and --local keeps them out of git (A-MISSING 4)', async () => {
  const shared = await connect('claude-code', '--write', ...STARTER);
  expect(shared.talk).toContain('turn off every colleague’s own tools');
  expect(status()).toContain('?? .mcp.json');

  const local = await connect('claude-code', '--write', '--local', ...STARTER);
  expect(local.talk).not.toContain('colleague');
  expect(() => textOf('.claude/settings.json')).toThrow('ENOENT');
  expect(textOf('.claude/settings.local.json')).toContain('"Bash"');
  expect(status()).not.toMatch(/mcp\.json|\.claude/);
  expect(textOf('.git/info/exclude')).toContain('\n/.mcp.json\n/.claude/settings.local.json\n');

  expect((await connect('claude-code', '--undo', '--write')).exit).toBe(0);
  expect(() => textOf('.claude/settings.local.json')).toThrow('ENOENT');
  expect(textOf('.git/info/exclude')).not.toContain('.mcp.json');
});

test('a file already tracked by git can’t be kept out with --local, and a note says so', async () => {
  writeFileSync(join(workspace, 'opencode.json'), '{}\n');
  spawnSync('git', ['add', 'opencode.json'], { cwd: workspace });
  const { talk } = await connect('opencode', '--write', '--local', ...STARTER);
  expect(talk).toContain('git tracks opencode.json already');
});

test.for(['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'vscode'] as const)(
  'over HTTP %s has the address, its token from outside the files, and the same tools closed (A-MISSING 3)',
  async (agent) => {
    const byProgram = await connect(agent, '--print', '--json', ...STARTER);
    const byAddress = await connect(agent, '--print', '--json', '--http', '--url', 'http://127.0.0.1:7777');
    const [, ...closed] = filesOf(byProgram.out);
    const [server, ...closedToo] = filesOf(byAddress.out);
    expect(server?.after).toContain('http://127.0.0.1:7777/mcp');
    expect(server?.after).toContain(agent === 'vscode' ? 'input:signalbox-token' : 'SIGNALBOX_AGENT_TOKEN');
    expect(server?.after).not.toContain('"true"');
    expect(closedToo).toEqual(closed);
    expect(byAddress.out).toContain(`signalbox token create --role provider --provider ${agent}`);
    // Turns off its own tools in the file that names the server.
    for (const word of ['read-only', 'mcp_signalbox_*', '"deny"'])
      expect(server?.after?.includes(word)).toBe(filesOf(byProgram.out)[0]?.after?.includes(word));
  },
);

test('switching from a program to an address removes every trace of the program, and the reverse', async () => {
  for (const agent of ['claude-code', 'codex']) {
    await connect(agent, '--write', ...STARTER);
    const files = ['.mcp.json', '.codex/config.toml'].filter((path) => existsSync(join(workspace, path)));
    const before = files.map(textOf);
    await connect(agent, '--write', '--http', '--url', 'http://127.0.0.1:4180');
    expect(files.map(textOf).join('')).not.toContain(`--provider`);
    await connect(agent, '--write', ...STARTER);
    expect(files.map(textOf)).toEqual(before);
    await connect(agent, '--undo', '--write');
  }
  expect(readdirSync(workspace).toSorted()).toEqual(['.git', '.signalbox']);
});

test('an address is tried with the token in the environment', async () => {
  await using own = await openTestServer();
  const provider = ProviderId.parse('codex');
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'codex',
    role: 'provider',
    provider,
    lifetimeMs: null,
  });
  const at = (env: Readonly<Record<string, string>>) =>
    createTestTerminal(own.of.workspace, { env }).signalbox('connect', 'codex', '--write', '--url', own.url);
  expect(await at({})).toMatchObject({
    exit: 0,
    talk: expect.stringContaining('not tested: SIGNALBOX_AGENT_TOKEN'),
  });
  expect(await at({ SIGNALBOX_AGENT_TOKEN: token })).toMatchObject({
    exit: 0,
    talk: expect.stringMatching(/✓ tested: \d+ tools/),
  });
  expect(await at({ SIGNALBOX_AGENT_TOKEN: 'sbx_wrong' })).toMatchObject({ exit: 6 });
});

test(
  'connect --http writes a permanent address, never a port that closes with the coordinator (R1)',
  { timeout: 120_000 },
  async () => {
    const world = backgroundWorld();
    const { signalbox } = createTestTerminal(world.directory);
    const file = join(world.directory, '.mcp.json');
    const byHttp = () => signalbox('connect', 'claude-code', '--http', '--write');
    const refused = { exit: 2, talk: expect.stringContaining('signalbox serve --port') };
    expect(await byHttp()).toMatchObject(refused);
    const access = await world.connect();
    const forAWhile = await openPort(access, ANY_PORT, { until: 'coordinator-ends' });
    expect(await byHttp()).toMatchObject({
      ...refused,
      talk: expect.stringContaining(`${forAWhile.url} closes with the coordinator`),
    });
    expect(existsSync(file)).toBe(false);
    const fixed = await openPort(access, { ...ANY_PORT, port: await freePort() });
    expect(await byHttp()).toMatchObject({ exit: 0 });
    expect(readFileSync(file, 'utf8')).toContain(`${fixed.url}/mcp`);
    expect((await signalbox('connect', 'claude-code', '--undo', '--write', '--http')).exit).toBe(0);
    expect(existsSync(file)).toBe(false);
    // Whatever a killed coordinator left behind.
    await killed(access.pid);
    expect(existsSync(join(world.directory, '.signalbox/server.json'))).toBe(true);
    expect(await byHttp()).toMatchObject(refused);
    expect(existsSync(file)).toBe(false);
  },
);

test('Codex prompts nobody and searches no web, and a note names what stays open (A-B8)', async () => {
  const { talk } = await connect('codex', '--write', ...STARTER);
  const written = textOf('.codex/config.toml');
  for (const setting of [
    'approval_policy = "never"',
    'web_search = "disabled"',
    'sandbox_mode = "read-only"',
  ])
    expect(written).toContain(setting);
  expect(written).toContain('default_tools_approval_mode = "approve"');
  expect(written).toContain('tool_timeout_sec = 3600');
  expect(talk).toContain('apply_patch can’t be turned off');
  expect(talk).toContain('--yolo');
});

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const status = (): string =>
  spawnSync('git', ['status', '--short', '--untracked-files=all'], { cwd: workspace, encoding: 'utf8' })
    .stdout;

function filesOf(out: string): readonly { path: string; after: string }[] {
  return (JSON.parse(out) as { files: { path: string; after: string }[] }).files;
}
