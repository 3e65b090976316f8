import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { hostGit, LAYERS } from '../../testing/host-git.ts';
import { createTestWorkspace, openTestRuntime } from '../../testing/open-test-runtime.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('what the repository above the workspace names is asked about, also where nothing is yet', async () => {
  const above = createTestWorkspace({ 'app/a.txt': 'a\n' });
  execFileSync('git', ['config', 'core.hooksPath', 'app/hooks'], { cwd: above });
  execFileSync('git', ['config', 'diff.x.textconv', 'sh app/tools/tc.sh'], { cwd: above });
  await using own = await openTestRuntime({
    settings: { approval: { approval_mode: 'allow_all' } },
    workspace: join(above, 'app'),
  });
  const line = 'mkdir -p hooks tools; echo x > hooks/pre-commit; echo x > tools/tc.sh';
  const { commandId } = own.submit('openai', 'bash', { args: { line } });
  await own.event('approval_requested', (event) => event.commandId === commandId);
  const record = await own.runtime.store.get(commandId);
  const found = record?.verdict?.reasons.filter(({ code }) => code === 'program-settings') ?? [];
  expect(found.map(({ text }) => text).join('\n')).toMatch(/hooks\/pre-commit[^]*tools\/tc\.sh/);
});

const HOOK = '#!/bin/sh\ntouch PWNED\n';

test.for(LAYERS)(
  'global hooks and programs of the user need approval in every work tree, in the layer %s',
  async ([layer, settings]) => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    writeFileSync(
      join(home, '.gitconfig'),
      '[core]\n\thooksPath = .githooks # of each project\n[gpg "ssh"]\n\tdefaultKeyCommand = sh tools/key\n',
    );
    vi.stubEnv('HOME', home);
    vi.stubEnv('XDG_CONFIG_HOME', undefined);
    const workspace = createTestWorkspace({ 'a.txt': 'a\n', 'hook.txt': HOOK, 'x.sh': LEAVE_HOOKS });
    hostGit(workspace, 'worktree', 'add', '-q', '-b', 'old', 'old');
    hostGit(workspace, 'init', '-q', 'inner');
    await using own = await openTestRuntime({
      settings: { approval: { approval_mode: 'allow_all' }, ...settings },
      workspace,
    });
    const done = await own.submit('openai', 'bash', {
      args: { line: 'bash x.sh' },
      context: { asking: 'never' },
    }).result;
    expect(done).toMatchObject({ success: false, isolation: { layer } });
    for (const tree of ['.', 'old', 'inner', 'new']) {
      const folder = join(workspace, tree);
      const left = ['.githooks/pre-commit', 'tools/key'].filter((path) => existsSync(join(folder, path)));
      expect([tree, left]).toEqual([tree, []]);
    }
  },
);

const LEAVE_HOOKS = `
git worktree add -q -b new new
for tree in . old inner new; do
  mkdir -p $tree/.githooks $tree/tools; cp hook.txt $tree/tools/key; cp hook.txt $tree/.githooks/pre-commit; chmod +x $tree/.githooks/pre-commit
done`;

test.for(LAYERS)(
  'files that the user’s npm loads first need approval in every folder, in the layer %s',
  async ([, settings]) => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    vi.stubEnv('HOME', home);
    const workspace = createTestWorkspace({ 'x.sh': 'mkdir -p tools; echo 1 > tools/first.cjs\n' });
    writeFileSync(join(home, '.npmrc'), `node-options=--require ${workspace}/tools/first.cjs\n`);
    await using own = await openTestRuntime({
      settings: { approval: { approval_mode: 'allow_all' }, ...settings },
      workspace,
    });
    const done = await own.submit('openai', 'bash', {
      args: { line: 'bash x.sh' },
      context: { asking: 'never' },
    }).result;
    expect(done).toMatchObject({ success: false });
    expect(existsSync(join(workspace, 'tools/first.cjs'))).toBe(false);
  },
);
