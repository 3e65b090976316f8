import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestWorkspace, openTestHouse } from '../testing/open-test-house.ts';
import { createTestTerminal } from '../testing/test-context.ts';
import { openTestServer } from '../testing/open-test-server.ts';

let workspace = '';
let api = '';

beforeEach(() => {
  workspace = createTestWorkspace({ 'packages/api/a.txt': 'of the api\n', 'a.txt': 'of the root\n' });
  api = join(workspace, 'packages/api');
});

afterEach(() => rmSync(workspace, { recursive: true, force: true }));

test('a line runs in the folder where its person stands, in the one workspace (A-B3)', async () => {
  const there = createTestTerminal(api);
  expect(await there.signalbox('exec', '--', 'cat a.txt')).toMatchObject({ exit: 0, out: 'of the api\n' });
  expect(readdirSync(api)).toEqual(['a.txt']);
  // Seen from the root: one history, one audit.
  expect((await createTestTerminal(workspace).signalbox('history')).out).toContain('cat a.txt');
  expect((await there.signalbox('history', '--json')).out).toContain('cat a.txt');
});

test('a line goes to the server of the workspace with the folder that it was typed in', async () => {
  await using own = await openTestServer({
    files: { 'packages/api/a.txt': 'of the api\n', 'a.txt': 'of the root\n' },
  });
  const there = createTestTerminal(join(own.of.workspace, 'packages/api'));
  expect(await there.signalbox('exec', '--', 'cat a.txt')).toMatchObject({ exit: 0, out: 'of the api\n' });
  expect((await there.signalbox('status')).out).not.toContain('nothing runs here');
});

test('paths are meant from where a person stands', async () => {
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
  expect((await there.signalbox('init', '.')).talk).toContain('it lies inside the workspace');
  // Written, and the program that stands for Signalbox here answers nothing.
  expect((await there.signalbox('connect', 'opencode', '--write', '--command', 'true')).exit).toBe(6);
  expect(readdirSync(workspace)).toContain('opencode.json');
  expect(readdirSync(api)).toEqual(['a.txt']);
});

test('mcp makes no workspace of a folder that is none, and says so (A-B3)', async () => {
  const ran = await createTestTerminal(api).signalbox('mcp', '--provider', 'codex');
  expect(ran).toMatchObject({ exit: 2, out: '' });
  expect(ran.talk).toContain('is no Signalbox workspace yet');
  expect(ran.talk).toContain('signalbox init');
  expect(readdirSync(workspace)).not.toContain('.signalbox');
});

test('a workspace that encloses a led one is refused while that is led (A-B3)', async () => {
  mkdirSync(join(api, '.signalbox'));
  await using inner = await openTestHouse({ workspace: api });
  const outer = createTestTerminal(workspace);
  const refused = await outer.signalbox('exec', '--', 'true');
  expect(refused.exit).not.toBe(0);
  expect(refused.talk).toContain('"packages/api" inside it is led by itself');
  await inner.leave();
  expect(await outer.signalbox('exec', '--', 'true')).toMatchObject({ exit: 0 });
});
