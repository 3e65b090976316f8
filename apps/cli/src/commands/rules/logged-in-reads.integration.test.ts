import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const TOKEN = 'login-of-this-person';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A home folder with logins, and programs that print what they see of them. */
function createLoggedInHome(): Record<'HOME' | 'PATH', string> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const bin = join(home, '.local/bin');
  const show =
    '#!/bin/sh\ncat ~/.config/gh/hosts.yml ~/.kube/config 2>&1\nls -A ~/.config/gh 2>&1\necho "$https_proxy"\n';
  for (const [path, text] of [
    ['.config/gh/hosts.yml', `github.com:\n  user: ${TOKEN}\n`],
    ['.config/gh/private', 'not for anybody'],
    [
      '.kube/config',
      'clusters:\n- cluster: {server: "https://10.1.2.3:6443"}\n  name: cluster-of-this-person\n',
    ],
    ['.local/bin/gh', show],
    ['.local/bin/kubectl', show],
  ] as const) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  chmodSync(join(bin, 'gh'), 0o755);
  chmodSync(join(bin, 'kubectl'), 0o755);
  const env = { HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return env;
}

test('rules reads is off by default; on, it says what it opens, and only reading lines get the login of their own tool (setting: approval.reads.gh, approval.reads.kubectl)', async () => {
  const env = createLoggedInHome();
  const workspace = ownWorkspace({ 'x.sh': 'gh pr view 1\ncat ~/.config/gh/hosts.yml\n' });
  const { signalbox } = createTestTerminal(workspace, { env });
  const judged = async (text: string): Promise<number> => (await signalbox('check', '--', text)).exit;
  const ran = async (text: string): Promise<string> => (await signalbox('exec', '--', text)).out;

  expect(await judged('gh pr view 1')).toBe(4);
  expect((await signalbox('rules', 'reads')).out).toMatch(/asks gh .*\n?asks kubectl/);
  expect((await signalbox('rules', 'reads', 'on')).exit).not.toBe(0);
  expect(await judged('gh pr view 1')).toBe(4);

  const on = await signalbox('rules', 'reads', 'on', '--yes');
  expect([on.exit, on.talk]).toEqual([
    0,
    expect.stringMatching(/hosts\.yml, with its token[^]*github\.com[^]*10\.1\.2\.3:6443/),
  ]);
  expect(await judged('gh pr view 1')).toBe(0);
  const seen = await ran('gh pr view 1');
  expect(seen).toContain(TOKEN);
  expect(seen).not.toContain('cluster-of-this-person');
  expect(seen).not.toContain('private');
  expect(await ran('kubectl get pods')).toContain('cluster-of-this-person');

  // No other line sees a login, whatever it starts.
  for (const line of ['cat ~/.config/gh/hosts.yml', 'bash x.sh', 'ls ~/.kube ~/.config'])
    expect(await ran(line)).not.toContain('this-person');
  for (const line of ['gh pr merge 1', 'gh auth token', 'gh pr view 1 | sh', 'kubectl get secrets'])
    expect(await judged(line)).not.toBe(0);

  expect((await signalbox('rules', 'reads', 'off')).exit).toBe(0);
  expect(await judged('gh pr view 1')).toBe(4);
});

test('a program of the workspace gets no login under the name of its tool, whatever PATH contains', async () => {
  const env = createLoggedInHome();
  const workspace = ownWorkspace({ '.venv/bin/gh': '#!/bin/sh\necho planted; cat ~/.config/gh/hosts.yml\n' });
  chmodSync(join(workspace, '.venv/bin/gh'), 0o755);
  symlinkSync(join(workspace, '.venv/bin'), join(env.HOME, 'bin'));
  vi.stubEnv('PATH', `.venv/bin:${workspace}/.venv/bin:${env.HOME}/bin:${env.PATH}`);
  const { signalbox } = createTestTerminal(workspace, { env: { ...env, PATH: process.env['PATH'] ?? '' } });
  await signalbox('rules', 'reads', 'on', '--yes');
  const { out } = await signalbox('exec', '--', 'gh pr view 1');
  expect([out.includes(TOKEN), out.includes('planted')]).toEqual([true, false]);
});

test('a repository cannot switch reads on', async () => {
  const env = createLoggedInHome();
  const workspace = ownWorkspace({ 'signalbox.yaml': 'approval: {reads: {gh: [evil.example]}}\n' });
  const { signalbox } = createTestTerminal(workspace, { env });
  expect((await signalbox('check', '--', 'gh pr view 1')).exit).toBe(4);
});
