import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestWorkspace } from '../testing/open-test-house.ts';
import { createTestTerminal } from '../testing/test-context.ts';

let workspace = '';
beforeEach(() => {
  workspace = createTestWorkspace();
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const connect = (...argv: string[]) => createTestTerminal(workspace).signalbox('connect', ...argv);
const textOf = (path: string): string => readFileSync(join(workspace, path), 'utf8');

test('what would change is shown first, then written, and then there is nothing more to change', async () => {
  const shown = await connect('opencode');
  expect(shown.out).toContain('+      "type": "local"');
  expect(shown.talk).toContain('Nothing was written');
  expect(() => textOf('opencode.json')).toThrow('ENOENT');

  const written = await connect('opencode', '--write', '--command', "node '/opt/my box/main.ts'");
  expect(written.out).toContain('opencode.json');
  expect(JSON.parse(textOf('opencode.json'))).toMatchObject({
    mcp: { signalbox: { command: ['node', '/opt/my box/main.ts', 'mcp', '--provider', 'opencode'] } },
  });
  const again = await connect('opencode', '--write', '--command', "node '/opt/my box/main.ts'");
  expect(again.talk).toContain('opencode works through Signalbox already');
});

test('a file keeps its comments, its mode, and its place behind a link', async () => {
  mkdirSync(join(workspace, 'dotfiles'));
  mkdirSync(join(workspace, '.codex'));
  writeFileSync(join(workspace, 'dotfiles/config.toml'), '# my key\nmodel = "gpt"\n');
  chmodSync(join(workspace, 'dotfiles/config.toml'), 0o600);
  symlinkSync('../dotfiles/config.toml', join(workspace, '.codex/config.toml'));
  await connect('codex', '--write');
  expect(lstatSync(join(workspace, '.codex/config.toml')).isSymbolicLink()).toBe(true);
  expect(statSync(join(workspace, 'dotfiles/config.toml')).mode & 0o777).toBe(0o600);
  expect(textOf('dotfiles/config.toml')).toContain('# my key\nmodel = "gpt"\n');
  expect(textOf('dotfiles/config.toml')).toContain('[mcp_servers.signalbox]\ncommand = "signalbox"');
});

test('of several files none is written when one can’t be changed, and what to put there is said', async () => {
  mkdirSync(join(workspace, '.claude'));
  writeFileSync(join(workspace, '.claude/settings.json'), '{ "permissions": ');
  const refused = await connect('claude-code', '--write');
  expect(refused).toMatchObject({ exit: 2 });
  expect(refused.talk + refused.out).toContain('not valid JSON');
  expect(refused.talk + refused.out).toContain('"mcp__signalbox"');
  expect(() => textOf('.mcp.json')).toThrow('ENOENT');
});

test('an agent of VS Code that stands there with other words is not overwritten', async () => {
  await connect('vscode', '--write');
  expect(textOf('.github/agents/signalbox.agent.md')).toContain("tools: ['signalbox/*']");
  writeFileSync(join(workspace, '.github/agents/signalbox.agent.md'), 'mine\n');
  expect(await connect('vscode', '--write')).toMatchObject({ exit: 2 });
  expect(textOf('.github/agents/signalbox.agent.md')).toBe('mine\n');
});
