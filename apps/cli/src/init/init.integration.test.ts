import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownWorkspace } from '../testing/own-workspace.ts';
import { createTestTerminal } from '../testing/test-context.ts';

const CLAUDE = JSON.stringify({
  permissions: { allow: ['Bash(npm install:*)'], deny: ['Bash(npm publish)'] },
});

test('rules of an agent come along into your own file, where they count, and stay out of the shared one', async () => {
  const workspace = ownWorkspace({ '.claude/settings.json': CLAUDE });
  const { signalbox } = createTestTerminal(workspace);
  expect((await signalbox('check', '--', 'npm publish')).exit).toBe(4);
  const shown = await signalbox('init', '--from', 'claude-code', '--print');
  expect(shown.out).toContain('npm');
  expect(existsSync(join(workspace, '.signalbox'))).toBe(false);

  const { exit, out } = await signalbox('init', '--from', 'claude-code');
  expect([exit, out]).toEqual([0, expect.stringMatching(/✓ rules +2 from .*settings\.json, 0 left out/)]);
  expect((await signalbox('check', '--', 'npm publish')).exit).toBe(3);
  expect(readFileSync(join(workspace, 'signalbox.yaml'), 'utf8')).not.toContain('rules:');
});

test('rules that a person has are not mixed with others, and nothing is written', async () => {
  const workspace = ownWorkspace({ '.claude/settings.json': CLAUDE });
  mkdirSync(join(workspace, '.signalbox'));
  const mine = 'rules:\n  - id: mine\n    deny: { program: rm }\n';
  writeFileSync(join(workspace, '.signalbox/local.yaml'), mine);
  const { exit, talk } = await createTestTerminal(workspace).signalbox('init', '--from', 'claude-code');
  expect([exit, talk]).toEqual([2, expect.stringContaining('has rules already')]);
  expect(readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8')).toBe(mine);
  expect(existsSync(join(workspace, 'signalbox.yaml'))).toBe(false);
});

test('without those rules there is nothing to bring along, and a provider sets nothing up for itself', async () => {
  const workspace = ownWorkspace();
  const env = { HOME: workspace, SIGNALBOX_COMMAND: 'cmd_x' };
  const { signalbox } = createTestTerminal(workspace, { env });
  expect(await signalbox('init', '--from', 'codex')).toMatchObject({ exit: 2 });
  expect(await signalbox('init')).toMatchObject({ exit: 3 });
  expect(existsSync(join(workspace, 'signalbox.yaml'))).toBe(false);
});

test('a person is asked for the hosts of the project, agrees with an empty answer, and installs no longer ask', async () => {
  const workspace = ownWorkspace({ 'package.json': '{ "name": "shop" }' });
  const alone = createTestTerminal(ownWorkspace({ 'package.json': '{ "name": "shop" }' }));
  const { out } = await alone.signalbox('init');
  expect(out).toMatch(/\? network +installs and fetches ask · signalbox network allow/);
  const { signalbox } = createTestTerminal(workspace, { onAsked: () => undefined, typed: () => '' });
  expect((await signalbox('check', '--', 'npm ci')).exit).toBe(4);
  const { exit, out: said, talk } = await signalbox('init');
  expect([exit, said, talk]).toEqual([
    0,
    expect.stringMatching(/✓ network +registry\.npmjs\.org/),
    expect.stringContaining('registry.npmjs.org'),
  ]);
  expect((await signalbox('check', '--', 'npm ci')).exit).toBe(0);
  expect((await signalbox('check', '--', 'npm publish')).exit).toBe(4);
});
