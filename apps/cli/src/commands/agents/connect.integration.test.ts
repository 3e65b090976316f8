import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { createTestWorkspace } from '../../testing/open-test-runtime.ts';
import { removeWorkspace } from '../../testing/remove-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

let workspace = '';
beforeEach(() => {
  workspace = createTestWorkspace();
});
afterEach(() => removeWorkspace(workspace));

const connect = (...argv: string[]) => createTestTerminal(workspace).signalbox('connect', ...argv);
/** Exits at once: none of these tests needs an agent to start Signalbox. */
const STARTER = ['--command', 'true'];
const textOf = (path: string): string => readFileSync(join(workspace, path), 'utf8');

test('the change is shown first, then written, and a second run changes nothing', async () => {
  const shown = await connect('opencode');
  expect(shown.out).toContain('+      "type": "local"');
  expect([shown.exit, shown.talk]).toEqual([
    4,
    expect.stringContaining('Nothing was written. --write adds Signalbox to opencode.json'),
  ]);
  expect((await connect('opencode', '--print')).exit).toBe(0);
  expect(() => textOf('opencode.json')).toThrow('ENOENT');

  const written = await connect('opencode', '--write', '--command', "node '/opt/my box/main.ts'");
  expect(written.out).toContain('opencode.json');
  expect(JSON.parse(textOf('opencode.json'))).toMatchObject({
    mcp: { signalbox: { command: ['node', '/opt/my box/main.ts', 'mcp', '--provider', 'opencode'] } },
  });
  const again = await connect('opencode', '--write', '--command', "node '/opt/my box/main.ts'");
  expect(again.talk).toContain('opencode already works through Signalbox');
});

test('a file keeps its comments, its mode, and its target if it is a link', async () => {
  mkdirSync(join(workspace, 'dotfiles'));
  mkdirSync(join(workspace, '.codex'));
  writeFileSync(join(workspace, 'dotfiles/config.toml'), '# my key\nmodel = "gpt"\n');
  chmodSync(join(workspace, 'dotfiles/config.toml'), 0o600);
  symlinkSync('../dotfiles/config.toml', join(workspace, '.codex/config.toml'));
  await connect('codex', '--write', ...STARTER);
  expect(lstatSync(join(workspace, '.codex/config.toml')).isSymbolicLink()).toBe(true);
  expect(statSync(join(workspace, 'dotfiles/config.toml')).mode & 0o777).toBe(0o600);
  expect(textOf('dotfiles/config.toml')).toContain('# my key\nmodel = "gpt"\n');
  expect(textOf('dotfiles/config.toml')).toContain('[mcp_servers.signalbox]\ncommand = "true"');
});

test('if one of several files can’t be changed none is written, and the text to add is shown', async () => {
  mkdirSync(join(workspace, '.claude'));
  writeFileSync(join(workspace, '.claude/settings.json'), '{ "permissions": ');
  const refused = await connect('claude-code', '--write');
  expect(refused).toMatchObject({ exit: 2 });
  expect(refused.talk + refused.out).toContain('not valid JSON');
  expect(refused.talk + refused.out).toContain('"mcp__signalbox"');
  expect(() => textOf('.mcp.json')).toThrow('ENOENT');
});

test('an existing VS Code agent file with other text is not overwritten', async () => {
  await connect('vscode', '--write', ...STARTER);
  expect(textOf('.github/agents/signalbox.agent.md')).toContain("tools: ['signalbox/*']");
  writeFileSync(join(workspace, '.github/agents/signalbox.agent.md'), 'mine\n');
  expect(await connect('vscode', '--write')).toMatchObject({ exit: 2 });
  expect(textOf('.github/agents/signalbox.agent.md')).toBe('mine\n');
});

const BEFORE: Readonly<Record<string, string>> = {
  '.mcp.json': '{\n  // mine\n  "mcpServers": {\n    "other": {\n      "command": "x"\n    }\n  }\n}\n',
  '.claude/settings.json':
    '{\n\t"permissions": {\n\t\t"deny": [\n\t\t\t"Bash", // why\n\t\t\t"Read(./.env)"\n\t\t]\n\t},\n\t"model": "opus"\n}\n',
  '.codex/config.toml':
    '# mine\nmodel = "gpt"\nsandbox_mode = "workspace-write" # why\n\n[features]\nweb = true\n\n[mcp_servers.other]\ncommand = "x"\n',
  '.gemini/settings.json': '{\n  "tools": {\n    "core": [\n      "mine"\n    ]\n  }\n}\n',
  'opencode.json': '{\n  "tools": {\n    "webfetch": true\n  } // mine\n}\n',
};

function putAll(): void {
  for (const [path, text] of Object.entries(BEFORE)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
}

test.for(['claude-code', 'codex', 'gemini', 'opencode'] as const)(
  'undo restores the settings of %s byte for byte',
  async (agent) => {
    putAll();
    await connect(agent, '--write', ...STARTER);
    // A second time with another starter: the content before both is still known.
    await connect(agent, '--write', '--keep-tools', '--command', 'false');
    const shown = await connect(agent, '--undo');
    expect([shown.exit, shown.talk]).toEqual([
      4,
      expect.stringMatching(
        new RegExp(
          `Nothing was written. --write removes Signalbox from .+\\n +signalbox connect ${agent} --undo --write\\n`,
        ),
      ),
    ]);
    expect((await connect(agent, '--undo', '--write')).exit).toBe(0);
    const now = Object.fromEntries(Object.keys(BEFORE).map((path) => [path, textOf(path)]));
    expect(now).toEqual(BEFORE);
    expect((await connect(agent, '--undo')).talk).toContain('contain nothing from Signalbox');
  },
);

test('undo removes created files and folders, and keeps later additions', async () => {
  for (const agent of ['claude-code', 'codex', 'cursor', 'vscode'])
    await connect(agent, '--write', ...STARTER);
  const settings = JSON.parse(textOf('.claude/settings.json')) as { permissions: { deny: string[] } };
  settings.permissions.deny.push('Read(./.env)');
  writeFileSync(join(workspace, '.claude/settings.json'), JSON.stringify(settings));
  for (const agent of ['claude-code', 'codex', 'cursor', 'vscode']) await connect(agent, '--undo', '--write');
  expect(JSON.parse(textOf('.claude/settings.json'))).toEqual({ permissions: { deny: ['Read(./.env)'] } });
  expect(readdirSync(workspace).toSorted()).toEqual(['.claude', '.git', '.signalbox']);
});

test('undo leaves a file alone that was damaged since, and says what to remove', async () => {
  await connect('opencode', '--write', ...STARTER);
  writeFileSync(join(workspace, 'opencode.json'), '{ "mcp": ');
  const refused = await connect('opencode', '--undo', '--write');
  expect([refused.exit, refused.talk]).toEqual([
    2,
    expect.stringContaining('remove its entries (named `signalbox`) by hand'),
  ]);
  expect(textOf('opencode.json')).toBe('{ "mcp": ');
});

test('undo without a receipt removes exactly what connect would write', async () => {
  putAll();
  await connect('claude-code', '--write', ...STARTER);
  rmSync(join(workspace, '.signalbox'), { recursive: true });
  await connect('claude-code', '--undo', '--write');
  expect(textOf('.mcp.json')).toBe(BEFORE['.mcp.json']);
  expect(textOf('.claude/settings.json')).toContain('Read(./.env)');
  expect(textOf('.claude/settings.json')).not.toContain('signalbox');
});

test('a file with the user’s own text is never removed', async () => {
  await connect('vscode', '--write', ...STARTER);
  writeFileSync(join(workspace, '.github/agents/signalbox.agent.md'), 'mine\n');
  await connect('vscode', '--undo', '--write');
  expect(textOf('.github/agents/signalbox.agent.md')).toBe('mine\n');
  expect(() => textOf('.vscode/mcp.json')).toThrow('ENOENT');
});

test('an agent with --keep-tools has both sets of tools, and a note says so', async () => {
  for (const agent of ['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'vscode']) {
    const { out, talk } = await connect(agent, '--print', '--keep-tools');
    expect(talk).toContain('It keeps its own tools');
    expect(out).toContain('signalbox');
    expect(out).not.toMatch(/deny|read-only|shell_tool|"core"|agent\.md/);
  }
});

test('on a terminal the user is prompted, and the written program is tried as the agent will start it', async () => {
  const asked: string[] = [];
  const { signalbox } = createTestTerminal(workspace, {
    onAsked: () => undefined,
    typed: (question) => (asked.push(question), 'y'),
  });
  const ran = await signalbox('connect', 'codex', '--command', `'${process.execPath}' '${MAIN}'`);
  expect(asked).toEqual(['Write this? [y/N] ']);
  expect(ran.talk).toMatch(/✓ tested: \d\d tools after/);
  expect(ran.exit).toBe(0);

  const missing = await signalbox('connect', 'codex', '--command', 'no-such-program');
  expect(missing.exit).toBe(6);
  expect(missing.talk).toContain('No such file or directory');
  expect(missing.talk).toContain('signalbox connect codex --write --command /path/to/bin/signalbox');

  const taken = await signalbox('connect', 'codex', '--undo');
  expect(asked.at(-1)).toBe('Remove this? [y/N] ');
  expect(taken).toMatchObject({
    exit: 0,
    talk: expect.stringContaining('will work without Signalbox') as unknown,
  });
  expect(() => textOf('.codex/config.toml')).toThrow('ENOENT');
});
