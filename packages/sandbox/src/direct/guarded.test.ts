import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createId, type Execution } from '@signalbox/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNameGuard } from './guard-names.ts';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';

let harness: SandboxHarness;
beforeEach(() => {
  harness = createHarness({ transactions: 'off' });
  spawnSync('git', ['init', '-q', '-b', 'main', harness.workspace]);
});
afterEach(async () => harness.close());

const at = (name: string): string => join(harness.workspace, name);
const whyOf = ({ ended }: Execution): string => (ended.kind === 'refused' ? ended.why.join('\n') : '');

test('without an overlay a new commondir is quarantined, HEAD is restored, and the call fails (R-A2)', async () => {
  const done = await harness.run('mkdir ev; echo ../ev > .git/commondir; rm .git/HEAD; echo x > made');
  expect(done.isolation.layer).toBe('bind');
  expect(existsSync(at('.git/commondir'))).toBe(false);
  expect(readFileSync(at('.git/HEAD'), 'utf8')).toBe('ref: refs/heads/main\n');
  expect(done.ended).toMatchObject({ kind: 'refused', code: 'quarantined', exitCode: 0 });
  expect(whyOf(done)).toMatch(
    /^\.git\/HEAD \(without it[^]*restored[^]*\n\.git\/commondir .*: moved to \.signalbox\/quarantine\//,
  );
  const [, name = ''] = /moved to (\S+)/.exec(whyOf(done)) ?? [];
  expect(readFileSync(at(name), 'utf8')).toBe('../ev\n');
  expect(existsSync(at('made'))).toBe(true);
});

test('git settings and attributes a command creates are reverted, and nothing is left of them (R-D)', async () => {
  const done = await harness.run(
    'echo x > .git/config.worktree; echo x > .git/info/attributes; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git switch -qc next',
  );
  expect(whyOf(done).match(/moved to/g)).toHaveLength(2);
  expect(readFileSync(at('.git/HEAD'), 'utf8')).toBe('ref: refs/heads/next\n');
  expect(['config.worktree', 'info/attributes'].map((name) => existsSync(at(`.git/${name}`)))).toEqual([
    false,
    false,
  ]);
});

test('commands leave none of our files in .git (claude-code#25603)', async () => {
  const names = (): readonly string[] =>
    readdirSync(at('.git'), { recursive: true, encoding: 'utf8' }).toSorted();
  const before = names();
  expect((await harness.run('git status; echo a > a')).ended).toEqual({ kind: 'exited', exitCode: 0 });
  expect(names()).toEqual(before);
});

test('without a sandbox changed and removed settings are restored with their mode', async () => {
  const own = createHarness({ confinement: 'off-by-operator' });
  const path = (name: string): string => join(own.workspace, name);
  spawnSync('git', ['init', '-q', '-b', 'main', own.workspace]);
  mkdirSync(path('.claude/hooks'), { recursive: true });
  writeFileSync(path('.claude/hooks/a.sh'), 'one\n', { mode: 0o755 });
  writeFileSync(path('.envrc'), 'one\n');
  mkdirSync(path('deep/er'), { recursive: true });
  writeFileSync(path('deep/er/.mcp.json'), 'one\n');
  symlinkSync('src', path('CLAUDE.md'));
  const config = readFileSync(path('.git/config'), 'utf8');
  const done = await own.run(
    'echo two > .claude/hooks/a.sh; rm -r .envrc CLAUDE.md deep; git config core.fsmonitor ./x; mv .git/objects .git/gone; mkdir -p sub/.zed; echo x > sub/.zed/tasks.json; echo x > x',
  );
  expect(done.ended).toMatchObject({ kind: 'refused', code: 'quarantined' });
  expect(
    ['.claude/hooks/a.sh', '.envrc', 'deep/er/.mcp.json', '.git/config'].map((name) =>
      readFileSync(path(name), 'utf8'),
    ),
  ).toEqual(['one\n', 'one\n', 'one\n', config]);
  expect(statSync(path('.claude/hooks/a.sh')).mode & 0o777).toBe(0o755);
  expect(readlinkSync(path('CLAUDE.md'))).toBe('src');
  expect(['.git/objects/info', '.git/gone', 'sub/.zed', 'x'].map((name) => existsSync(path(name)))).toEqual([
    true,
    false,
    false,
    true,
  ]);
  await own.close();
});

test('an approved change is kept, even while another call runs', async () => {
  let started = (): void => undefined;
  const begun = new Promise<void>((resolve) => (started = resolve));
  const long = harness.run(
    'until [ -e go ]; do read -t 0.05 <> <(:); done; true',
    {},
    { onStart: () => started() },
  );
  await begun;
  const done = await harness.run('mkdir .claude; echo {} > .claude/settings.json; echo x > .mcp.json', {
    commandId: createId('command', randomBytes),
    agreed: ['.claude/settings.json', '.mcp.json'],
  });
  writeFileSync(at('go'), '');
  expect([done.ended, (await long).ended]).toEqual([
    { kind: 'exited', exitCode: 0 },
    { kind: 'exited', exitCode: 0 },
  ]);
  expect(readFileSync(at('.claude/settings.json'), 'utf8')).toBe('{}\n');
});

test('a workspace with more folders than can be scanned fails each call until some are removed', async () => {
  const { workspace } = harness;
  const options = { workspace, stateFolder: at('.signalbox'), path: '/usr/bin:/bin', maxFolders: 12 };
  const guard = createNameGuard(options);
  const during = async (act: () => void): Promise<readonly string[]> => {
    const revert = await guard.watch({ id: 'a', agreed: [], isFixed: true });
    act();
    return revert();
  };
  const reported = [expect.stringMatching(/more folders than are checked \(12, most of them in "f"\)/)];
  expect(await during(() => mkdirSync(at('f/1/2/3/4/5/6/7/8/9/10/11'), { recursive: true }))).toEqual(
    reported,
  );
  expect(await during(() => undefined)).toEqual(reported);
  expect(await during(() => rmSync(at('f'), { recursive: true }))).toEqual([]);
});

test('a call does not revert what an earlier call left before it began', async () => {
  const options = { workspace: harness.workspace, stateFolder: at('.signalbox'), path: '/usr/bin:/bin' };
  writeFileSync(at('CLAUDE.md'), 'mine\n');
  const guard = createNameGuard(options);
  const one = await guard.watch({ id: 'one', agreed: [], isFixed: false });
  writeFileSync(at('CLAUDE.md'), 'theirs\n');
  writeFileSync(at('.envrc'), 'theirs\n');
  const other = await guard.watch({ id: 'other', agreed: [], isFixed: false });
  expect(await one()).toHaveLength(2);
  expect(await other()).toEqual([]);
  expect([existsSync(at('.envrc')), readFileSync(at('CLAUDE.md'), 'utf8')]).toEqual([false, 'mine\n']);
});

test('a folder too deep to be scanned fails a call, and its other changes are reverted', async () => {
  const done = await harness.run(
    'w=$PWD; n=$(printf "%0200d" 0); mkdir deep; cd deep; for i in $(seq 25); do mkdir $n; cd $n; done; cd $w; mkdir .claude; echo x > .claude/settings.json',
  );
  expect(whyOf(done)).toMatch(/^\.claude\/settings\.json .* moved to [^]*\ndeep\/0+.*path is too long/);
  expect(existsSync(at('.claude'))).toBe(false);
  expect((await harness.run('rm -r deep')).ended).toEqual({ kind: 'exited', exitCode: 0 });
});

test('a folder or settings file with a name that is not UTF-8 fails each call until it is removed', async () => {
  const reported = [expect.stringMatching(/^a\ufffd can't be read \(its name is not UTF-8\).* Remove it/)];
  const made = await harness.run("mkdir $'a\\xff'; echo x > $'a\\xff/.envrc'; echo x > $'b\\xff.txt'");
  expect(made.ended).toMatchObject({ kind: 'refused', code: 'quarantined', why: reported });
  expect((await harness.run('echo x > x')).ended).toMatchObject({ kind: 'refused', why: reported });
  expect((await harness.run("rm -r $'a\\xff'")).ended).toEqual({ kind: 'exited', exitCode: 0 });
  const file = await harness.run("mkdir -p .claude/commands; echo x > $'.claude/commands/\\xff.md'");
  expect(file.ended).toMatchObject({ kind: 'refused', code: 'quarantined' });
});

test('a socket in the workspace is masked, whatever network namespace serves it (R-D)', async ({ skip }) => {
  const path = join(harness.workspace, 'service.sock');
  const script = `require('net').createServer((s) => s.end('reached')).listen(${JSON.stringify(path)}, () => console.log('up'))`;
  const child = spawn('unshare', ['-rn', process.execPath, '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const up = await Promise.race([
    once(child.stdout, 'data').then(() => true),
    once(child, 'exit').then(() => false),
  ]);
  if (!up) skip('no network namespace can be made here');
  const line = `node -e "require('net').connect('service.sock').on('data', (d) => console.log(String(d))).on('error', (e) => console.log('refused'))"`;
  const done = await harness.run(line);
  child.kill('SIGKILL');
  expect(done.stdout.text).toBe('refused\n');
});
