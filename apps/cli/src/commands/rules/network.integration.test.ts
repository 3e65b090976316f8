import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Key } from '../../terminal/keyboard.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const CONFIG = '[remote "origin"]\n\turl = https://localhost/acme/shop.git\n';
const LOCAL = '.signalbox/local.yaml';

/** A server on this machine that counts requests. */
async function serve(answer: (path: string) => unknown): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(request.url ?? '')));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

const manifest = (scripts: object = {}): string =>
  JSON.stringify({ name: 'shop', version: '1.0.0', private: true, scripts });

test('an install needs approval and names its hosts, runs once they are agreed to, and needs approval again for an added registry (U-B11)', async () => {
  const workspace = ownWorkspace({
    'package.json': manifest(),
    '.npmrc': 'registry=http://localhost:4873/\n',
  });
  const { signalbox } = createTestTerminal(workspace);
  const before = await signalbox('check', '--', 'npm ci');
  expect([before.exit, before.out]).toEqual([
    4,
    expect.stringContaining('reaches registry.npmjs.org, localhost'),
  ]);
  const listed = await signalbox('network');
  expect(listed.out).toMatch(/\? localhost:4873 +needs approval · \.npmrc/);

  const { exit, out } = await signalbox('network', 'allow', 'packages', '--yes');
  expect([exit, out]).toEqual([0, expect.stringMatching(/\+ +packages: \[.*localhost:4873/)]);
  expect(await signalbox('check', '--', 'npm ci')).toMatchObject({ exit: 0 });
  expect((await signalbox('check', '--', 'npm publish')).exit).toBe(4);

  writeFileSync(join(workspace, '.npmrc'), '@acme:registry=https://evil.example/\n');
  const after = await signalbox('check', '--', 'npm ci');
  expect([after.exit, after.out]).toEqual([4, expect.stringContaining('reaches evil.example')]);

  await signalbox('network', 'forget', 'packages');
  expect((await signalbox('check', '--', 'npm view zod')).exit).toBe(4);
  expect(readFileSync(join(workspace, LOCAL), 'utf8')).not.toContain('localhost:4873');
});

test('an approved line reaches its registry through the gate, and its scripts reach no other host', async () => {
  const registry = await serve(() => ({
    name: 'left-pad',
    'dist-tags': { latest: '1.3.7' },
    versions: { '1.3.7': { name: 'left-pad', version: '1.3.7', dist: { tarball: 'http://localhost/x' } } },
  }));
  const other = await serve(() => ({}));
  const workspace = ownWorkspace({
    'package.json': manifest({
      preinstall: `curl -sS http://localhost:${other.port}/ > out.txt 2>&1 || true`,
    }),
    '.npmrc': `registry=http://localhost:${registry.port}/\naudit=false\nupdate-notifier=false\n`,
  });
  const { signalbox } = createTestTerminal(workspace);
  expect((await signalbox('exec', '--', 'npm view left-pad version')).exit).not.toBe(0);
  expect(registry.asked).toEqual([]);

  expect((await signalbox('network', 'allow', 'packages', '--yes')).exit).toBe(0);
  const seen = await signalbox('exec', '--', 'npm view left-pad version');
  expect([seen.exit, seen.out.trim()]).toEqual([0, '1.3.7']);
  expect(registry.asked).toEqual(['/left-pad']);

  expect(await signalbox('exec', '--', 'npm install')).toMatchObject({ exit: 0 });
  expect(readFileSync(join(workspace, 'out.txt'), 'utf8')).toContain(
    'is not among the hosts of this command',
  );
  expect(other.asked).toEqual([]);
});

/** The user's programs that access a registry, then another host, like a build with a hostile script. */
function createBuildPrograms(urls: readonly string[]): { HOME: string; PATH: string } {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const bin = join(home, '.local/bin');
  mkdirSync(bin, { recursive: true });
  const text = `#!/bin/sh\n${urls.map((url) => `curl -sS ${url} 2>&1\n`).join('')}exit 0\n`;
  for (const name of ['cargo', 'mvn', 'dotnet']) writeFileSync(join(bin, name), text, { mode: 0o755 });
  const env = { HOME: home, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return env;
}

test('a build gets packages only from the agreed registry, without approval either way (setting: sandbox.network.agreed.packages)', async () => {
  const registry = await serve(() => ({}));
  const other = await serve(() => ({}));
  const env = createBuildPrograms([
    `http://localhost:${registry.port}/crate`,
    `http://localhost:${other.port}/`,
  ]);
  const workspace = ownWorkspace({
    'Cargo.toml': '',
    '.cargo/config.toml': `[source.acme]\nregistry = "sparse+http://localhost:${registry.port}/"\n`,
  });
  const { signalbox } = createTestTerminal(workspace, { env });
  const ran = async (line: string): Promise<string> => {
    const { exit, out } = await signalbox('exec', '--', line);
    expect([line, exit]).toEqual([line, 0]);
    return out;
  };
  for (const line of ['cargo build', 'cargo run']) await ran(line);
  expect(registry.asked).toEqual([]);

  await signalbox('network', 'allow', 'packages', '--yes');
  for (const line of ['cargo build', 'cargo run', 'cargo test --locked'])
    expect(await ran(line)).toContain('is not among the hosts of this command');
  expect(registry.asked).toEqual(['/crate', '/crate', '/crate']);
  for (const line of ['cargo build --offline', 'cargo test --frozen', 'cargo fmt --check']) await ran(line);

  await signalbox('network', 'forget', 'packages');
  await ran('cargo build');
  expect([registry.asked.length, other.asked]).toEqual([3, []]);
});

test('a file of the repository agrees to nothing', async () => {
  const workspace = ownWorkspace({
    'package.json': manifest(),
    'signalbox.yaml': 'sandbox: { network: { agreed: { packages: [registry.npmjs.org, evil.example] } } }\n',
  });
  const { signalbox } = createTestTerminal(workspace);
  expect((await signalbox('check', '--', 'npm ci')).exit).toBe(4);
  await signalbox('network', 'allow', 'packages', '--yes');
  // It may only remove hosts from the list.
  expect((await signalbox('check', '--', 'npm ci')).exit).toBe(0);
  writeFileSync(join(workspace, 'signalbox.yaml'), 'sandbox: { network: { agreed: { packages: [] } } }\n');
  expect((await signalbox('check', '--', 'npm ci')).exit).toBe(4);
});

test('the user is shown the hosts and prompted: empty input is yes, and no prompt is no', async () => {
  const workspace = ownWorkspace({ 'package.json': manifest() });
  writeFileSync(join(workspace, '.git/config'), CONFIG);
  const alone = createTestTerminal(workspace);
  const refused = await alone.signalbox('network', 'allow');
  expect([refused.exit, refused.talk]).toEqual([4, expect.stringContaining('signalbox network allow --yes')]);
  expect(existsSync(join(workspace, LOCAL))).toBe(false);
  const denied = createTestTerminal(workspace, { onAsked: () => undefined, typed: () => 'n' });
  expect((await denied.signalbox('network', 'allow')).exit).toBe(4);
  expect(existsSync(join(workspace, LOCAL))).toBe(false);

  const asked: string[] = [];
  const person = createTestTerminal(workspace, {
    onAsked: () => undefined,
    typed: (question) => {
      asked.push(question);
      return '';
    },
  });
  const { exit, talk } = await person.signalbox('network', 'allow');
  expect([exit, asked, talk]).toEqual([
    0,
    ['Allow these hosts? [Y/n] '],
    expect.stringMatching(/packages[^]*registry\.npmjs\.org[^]*remotes[^]*localhost/),
  ]);
  const { packages, remotes } = JSON.parse((await person.signalbox('network', '--json')).out).agreed;
  expect([packages, remotes]).toEqual([expect.arrayContaining(['registry.npmjs.org']), ['localhost']]);
  expect((await person.signalbox('network', 'allow')).out).toContain('Nothing new');
});

test('the first approval of an install is answered permanently with one key, which agrees to its hosts', async () => {
  const workspace = ownWorkspace({
    'package.json': manifest(),
    '.npmrc': 'registry=http://localhost:4873/\nfetch-retries=0\n',
  });
  let press: (key: Key) => void = () => undefined;
  const { signalbox } = createTestTerminal(workspace, {
    onAsked: (listen) => (press = listen),
    // Keys typed too soon are ignored: one is pressed after each frame.
    onDraw(frame) {
      if (frame.includes('agree and approve')) setImmediate(() => press({ kind: 'named', name: 'enter' }));
      else if (frame.includes('[R]emember')) setImmediate(() => press({ kind: 'text', text: 'r' }));
    },
  });
  // The registry does not exist: only the agreement matters.
  const { talk } = await signalbox('exec', '--', 'npm ci');
  expect(talk).not.toContain('denied');
  expect(readFileSync(join(workspace, LOCAL), 'utf8')).toMatch(/agreed:[^]*packages: \[.*localhost:4873/);
  expect((await signalbox('check', '--', 'npm ci')).exit).toBe(0);
  expect((await signalbox('check', '--', 'npm publish')).exit).toBe(4);
});

test('servers on this machine are agreed to by port, other words are rejected, and a provider can’t agree to anything (setting: sandbox.network.agreed.localhost)', async () => {
  const workspace = ownWorkspace({ 'a.txt': '' });
  const { signalbox } = createTestTerminal(workspace);
  expect((await signalbox('check', '--', 'curl -s localhost:3000/health')).exit).toBe(4);
  await signalbox('network', 'allow', 'localhost:3000', '--yes');
  expect((await signalbox('check', '--', 'curl -s localhost:3000/health')).exit).toBe(0);
  expect((await signalbox('check', '--', 'curl -X POST localhost:3000/health')).exit).toBe(4);
  expect((await signalbox('network', 'allow', 'evil.example', '--yes')).exit).toBe(2);
  const inside = createTestTerminal(workspace, { env: { HOME: workspace, SIGNALBOX_COMMAND: 'cmd_x' } });
  expect((await inside.signalbox('network', 'allow', 'packages', '--yes')).exit).toBe(3);
});

test('non-regular files block nothing: a pipe, a link, a folder', async () => {
  const workspace = ownWorkspace({
    'package.json': manifest(),
    'real.npmrc': 'registry=https://evil.example',
  });
  execFileSync('/usr/bin/mkfifo', [join(workspace, '.yarnrc')]);
  execFileSync('/usr/bin/ln', ['-s', 'real.npmrc', join(workspace, '.npmrc')]);
  execFileSync('/usr/bin/mkdir', [join(workspace, 'pnpm-lock.yaml')]);
  const { exit, out } = await createTestTerminal(workspace).signalbox('network', '--json');
  const { profiles } = JSON.parse(out) as { profiles: { hosts: { pattern: string }[] }[] };
  expect([exit, profiles[0]?.hosts.map(({ pattern }) => pattern)]).toEqual([0, ['registry.npmjs.org']]);
});
