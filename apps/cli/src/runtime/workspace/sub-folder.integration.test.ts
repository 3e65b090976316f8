import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAIN, programEnv } from '../../testing/agent.ts';
import { createTestWorkspace, openTestRuntime } from '../../testing/open-test-runtime.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { openTestServer } from '../../testing/open-test-server.ts';

let workspace = '';
let api = '';

beforeEach(() => {
  workspace = createTestWorkspace({ 'packages/api/a.txt': 'of the api\n', 'a.txt': 'of the root\n' });
  api = join(workspace, 'packages/api');
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

test('a line runs in the user’s folder, in the one workspace (A-B3)', async () => {
  const there = createTestTerminal(api);
  expect(await there.signalbox('exec', '--', 'cat a.txt')).toMatchObject({ exit: 0, out: 'of the api\n' });
  expect(readdirSync(api)).toEqual(['a.txt']);
  // From the root: one history, one audit log.
  expect((await createTestTerminal(workspace).signalbox('history')).out).toContain('cat a.txt');
  expect((await there.signalbox('history', '--json')).out).toContain('cat a.txt');
});

test('a line is sent to the workspace’s server with the folder it was typed in', async () => {
  await using own = await openTestServer({
    files: { 'packages/api/a.txt': 'of the api\n', 'a.txt': 'of the root\n' },
  });
  const there = createTestTerminal(join(own.of.workspace, 'packages/api'));
  expect(await there.signalbox('exec', '--', 'cat a.txt')).toMatchObject({ exit: 0, out: 'of the api\n' });
  expect((await there.signalbox('status')).out).not.toContain('nothing runs here');
});

test('paths are relative to the user’s folder', async () => {
  const there = createTestTerminal(api);
  await there.signalbox('exec', '--', 'touch new.txt');
  await there.signalbox('exec', '--', 'touch ../other.txt');
  const paths = async (...argv: readonly string[]) =>
    (await there.signalbox('history', '--json', '--path', ...argv)).out.match(/touch \S+?(?=")/g) ?? [];
  expect(await paths('new.txt')).toEqual(['touch new.txt']);
  expect(await paths('.')).toEqual(['touch new.txt']);
  expect((await there.signalbox('history', '--export', 'mine.csv')).exit).toBe(0);
  expect(readFileSync(join(api, 'mine.csv'), 'utf8')).toContain('touch new.txt');
  expect((await there.signalbox('check', '--json', '--', 'rm a.txt')).out).toContain('"packages/api/a.txt"');
});

test('every subcommand finds it: doctor, policy, config, approve, init, connect', async () => {
  expect((await createTestTerminal(workspace).signalbox('init')).exit).toBe(0);
  const there = createTestTerminal(api);
  expect((await there.signalbox('config', 'list', '--json')).out).toContain('signalbox.yaml');
  expect((await there.signalbox('rules', '--json')).exit).toBe(0);
  expect((await there.signalbox('init')).talk).toContain(join(workspace, 'signalbox.yaml'));
  expect((await there.signalbox('init', '.')).talk).toContain('it is inside the workspace');
  // Written, though the program that replaces Signalbox here answers nothing.
  expect((await there.signalbox('connect', 'opencode', '--write', '--command', 'true')).exit).toBe(6);
  expect(readdirSync(workspace)).toContain('opencode.json');
  expect(readdirSync(api)).toEqual(['a.txt']);
});

async function agentIn(folder: string, root: string) {
  const client = new Client({ name: 'codex', version: '1.0.0' });
  const args = [MAIN, '-C', root, 'mcp', '--provider', 'codex'];
  const env = programEnv(root);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: folder, stderr: 'ignore' }),
  );
  const read = async (path: string) => {
    const { content } = await client.callTool({ name: 'signalbox_read_file', arguments: { path } });
    return content.map((block) => (block.type === 'text' ? block.text : ''));
  };
  return { client, read };
}

test('an agent started in a sub-folder is told what its paths are relative to, once and in its instructions', async () => {
  await using own = await openTestServer({
    files: { 'packages/api/a.txt': 'of the api\n', 'a.txt': 'root\n' },
  });
  const root = own.of.workspace;
  const inside = await agentIn(join(root, 'packages/api'), root);
  const instructions = inside.client.getInstructions() ?? '';
  expect(instructions.length).toBeLessThanOrEqual(512);
  expect(instructions).toMatch(
    /^Paths and lines count from the workspace's root, not from packages\/api, where you started\. Use the signalbox_\* tools .* signalbox_wait /,
  );
  const note =
    '[signalbox] You started in packages/api, and paths and lines count from the workspace\'s root: a file of yours is packages/api/FILE here, and signalbox_bash takes {"cwd": "packages/api"}';
  expect(await inside.read('a.txt')).toEqual([expect.stringContaining('\nroot\n'), note]);
  expect(await inside.read('packages/api/a.txt')).toEqual([expect.stringContaining('\nof the api\n')]);
  await inside.client.close();

  const long = 'a-folder-whose-name-is-long/'.repeat(6);
  mkdirSync(join(root, long), { recursive: true });
  const deep = await agentIn(join(root, long), root);
  expect(deep.client.getInstructions()?.length).toBeLessThanOrEqual(512);
  expect(deep.client.getInstructions()).toContain('not from the sub-folder, where you started.');
  await deep.client.close();

  const above = await agentIn(root, root);
  expect(above.client.getInstructions()).toMatch(/^Use the signalbox_\* tools /);
  expect(await above.read('a.txt')).toHaveLength(1);
  await above.client.close();
});

test('an agent in a sub-folder is told when a file it may have meant there was created at the root', async () => {
  await using own = await openTestServer({
    settings: { approval: { approval_mode: 'allow_all' } },
    files: { 'packages/api/lib/a.js': 'a\n', 'tools/b.js': 'b\n' },
  });
  const root = own.of.workspace;
  const { client } = await agentIn(join(root, 'packages/api'), root);
  const notes = async (tool: string, args: Record<string, unknown>) => {
    const { content } = await client.callTool({ name: `signalbox_${tool}`, arguments: args });
    const reported = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    return reported.slice(1).filter((text) => text.includes('written to'));
  };
  const note =
    '[signalbox] written to lib/new.js at the root of the workspace, not packages/api/lib/new.js: paths count from the root';
  expect(await notes('write_file', { path: 'lib/new.js', content: 'x\n' })).toEqual([note]);
  expect(readFileSync(join(root, 'lib/new.js'), 'utf8')).toBe('x\n');
  // It exists there now, and is the one meant.
  await client.callTool({ name: 'signalbox_read_file', arguments: { path: 'lib/new.js' } });
  expect(await notes('write_file', { path: 'lib/new.js', content: 'y\n' })).toEqual([]);
  expect(await notes('write_file', { path: 'packages/api/lib/new.js', content: 'x\n' })).toEqual([]);
  expect(await notes('write_file', { path: 'tools/new.js', content: 'x\n' })).toEqual([]);
  expect(await notes('bash', { line: 'echo x > lib/other.js' })).toEqual([
    note.replaceAll('new.js', 'other.js'),
  ]);
  await client.close();
});

test('mcp does not make a folder a workspace, and says so (A-B3)', async () => {
  const ran = await createTestTerminal(api).signalbox('mcp', '--provider', 'codex');
  expect(ran).toMatchObject({ exit: 2, out: '' });
  expect(ran.talk).toContain('is not a Signalbox workspace yet');
  expect(ran.talk).toContain('signalbox init');
  expect(readdirSync(workspace)).not.toContain('.signalbox');
});

test('a workspace that contains a led one is refused while that is led (A-B3)', async () => {
  mkdirSync(join(api, '.signalbox'));
  await using inner = await openTestRuntime({ workspace: api });
  const outer = createTestTerminal(workspace);
  const refused = await outer.signalbox('exec', '--', 'true');
  expect(refused.exit).not.toBe(0);
  expect(refused.talk).toContain('"packages/api" inside it has a coordinator of its own');
  await inner.leave();
  expect(await outer.signalbox('exec', '--', 'true')).toMatchObject({ exit: 0 });
});
