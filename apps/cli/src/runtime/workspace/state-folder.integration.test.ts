import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { configHomeOf } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const LOCAL = '.signalbox/local.yaml';

test('git leaves the state alone where nobody ran init, so that adding everything does no harm', async () => {
  const workspace = ownWorkspace({ 'a.txt': 'one\n' });
  const { signalbox } = createTestTerminal(workspace);
  expect((await signalbox('exec', '--', 'touch b.txt')).exit).toBe(0);
  const git = (...argv: string[]) => spawnSync('git', argv, { cwd: workspace, encoding: 'utf8' });
  expect(git('add', '--all', '--verbose').stdout).toBe("add 'b.txt'\n");
  expect((await signalbox('exec', '--', 'touch c.txt')).exit).toBe(0);
});

describe('state from a repository is not used: links, other owners, non-files (R-A5)', () => {
  const SUBCOMMANDS = [
    ['doctor'],
    ['check', '--', 'ls'],
    ['policy', 'explain', '--', 'ls'],
    ['config', 'list'],
    ['status'],
    ['history'],
    ['audit', 'verify'],
    ['exec', '--', 'echo written'],
    ['init'],
  ];

  /** The message each prints instead of doing anything. */
  async function saidByAll(workspace: string): Promise<readonly string[]> {
    const said: string[] = [];
    for (const argv of SUBCOMMANDS) {
      const ran = await createTestTerminal(workspace)
        .signalbox(...argv)
        .catch((error: unknown) => ({ exit: 6, talk: String(error) }));
      said.push(`${ran.exit === 0 ? 'ok' : 'refused'} ${argv.join(' ')}: ${ran.talk.split('\n')[0]}`);
    }
    return said;
  }

  const refusals = (why: string) =>
    SUBCOMMANDS.map((argv) => expect.stringMatching(`^refused ${argv.join(' ')}: .*${why}`) as string);

  test('a link in place of the folder', async () => {
    const workspace = ownWorkspace();
    mkdirSync(join(workspace, 'cfg'));
    writeFileSync(join(workspace, 'cfg/local.yaml'), 'approval: { approval_mode: allow_all }\n');
    symlinkSync('cfg', join(workspace, '.signalbox'));
    expect(await saidByAll(workspace)).toEqual(refusals('it is a symbolic link'));
  });

  test.for([
    'audit.jsonl',
    'log.jsonl',
    'local.yaml',
    'state.db',
    'commits',
    'output',
    'output/x',
    'kernel-time',
  ])('a link at %s, which is not written through', async (name) => {
    const workspace = ownWorkspace({ rc: 'mine\n' });
    mkdirSync(join(workspace, '.signalbox'));
    if (name.includes('/')) mkdirSync(dirname(join(workspace, '.signalbox', name)));
    symlinkSync(join(workspace, 'rc'), join(workspace, '.signalbox', name));
    expect(await saidByAll(workspace)).toEqual(refusals('it is a symbolic link'));
    expect(readFileSync(join(workspace, 'rc'), 'utf8')).toBe('mine\n');
  });

  test.for(['state.db', 'redis.json', 'commits/x/swapping.json', 'shadow-git/alone/config'])(
    'a %s from a clone; the same name elsewhere in it is harmless',
    async (name) => {
      const files = { [`.signalbox/${name}`]: '{}', [`fixtures/.signalbox/${name}`]: '{}' };
      const workspace = ownWorkspace(files);
      expect(await saidByAll(workspace)).toEqual(refusals('it came with the repository'));
      rmSync(join(workspace, '.signalbox'), { recursive: true });
      spawnSync('git', ['rm', '-qr', '--cached', '.signalbox'], { cwd: workspace });
      const own = await createTestTerminal(workspace).signalbox('exec', '--', 'echo written');
      expect(own.exit).toBe(0);
      expect((await createTestTerminal(workspace).signalbox('history')).exit).toBe(0);
    },
  );

  const inShell = (cwd: string, line: string): void => {
    const ran = spawnSync('/bin/sh', ['-ec', line], { cwd, encoding: 'utf8' });
    expect(ran.stderr).toBe('');
  };

  test.for(['--index-version 4', '--split-index'])('state from a clone, with an index of %s', async (how) => {
    const workspace = ownWorkspace({ '.signalbox-not/a': '', '.signalbox/redis.json': '{}', 'z/a': '' });
    inShell(workspace, `git update-index ${how}`);
    expect(await saidByAll(workspace)).toEqual(refusals('it came with the repository'));
  });

  test('state from a submodule', async () => {
    const workspace = ownWorkspace();
    const module = ownWorkspace({ 'redis.json': '{}' });
    inShell(workspace, `git -c protocol.file.allow=always submodule --quiet add "${module}" .signalbox`);
    expect(await saidByAll(workspace)).toEqual(refusals('it came with the repository'));
  });

  test.for(['redis.json', 'state.db', 'commits/x/swapping.json', 'run/coordinator.json', 'output/x'])(
    'a %s from an archive',
    async (name) => {
      const workspace = ownWorkspace();
      mkdirSync(dirname(join(workspace, '.signalbox', name)), { recursive: true });
      writeFileSync(join(workspace, '.signalbox', name), '{}');
      expect(await saidByAll(workspace)).toEqual(refusals('an earlier version made it'));
    },
  );

  test('a whole folder from an archive of a workspace in use', async () => {
    const made = ownWorkspace();
    const terminal = createTestTerminal(made);
    expect((await terminal.signalbox('exec', '--', 'echo a > a.txt')).exit).toBe(0);
    await terminal.stopCoordinator();
    const workspace = ownWorkspace();
    const pack = `tar -C "${made}" --exclude "*.sock" -cf - .signalbox | tar -C "${workspace}" -xf -`;
    inShell(workspace, pack);
    expect(await saidByAll(workspace)).toEqual(refusals('an earlier version made it'));
  });

  test('state of an earlier version, or from a backup, counts again once the user confirms it', async () => {
    const workspace = ownWorkspace();
    const terminal = createTestTerminal(workspace);
    expect((await terminal.signalbox('exec', '--', 'echo before')).exit).toBe(0);
    await terminal.stopCoordinator();
    rmSync(join(workspace, '.signalbox/made-here.json'));
    const signalbox = (...argv: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...argv], {
        cwd: workspace,
        env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: configHomeOf(workspace) },
        encoding: 'utf8',
      });
      return { exit: status, out: stdout, talk: stderr };
    };
    expect(signalbox('history')).toMatchObject({
      exit: 6,
      talk: expect.stringContaining('signalbox config trust') as unknown,
    });
    expect(signalbox('config', 'trust')).toMatchObject({
      exit: 4,
      talk: expect.stringMatching(
        /state\.db {2}records, pending approvals, access tokens, unfinished commands/,
      ) as unknown,
    });
    expect(signalbox('history').exit).toBe(6);
    expect(signalbox('config', 'trust', '--yes').exit).toBe(0);
    expect(signalbox('history')).toMatchObject({
      exit: 0,
      out: expect.stringContaining('echo before') as unknown,
    });
  });

  test('a moved workspace keeps its state', async () => {
    const parent = ownWorkspace();
    const [before, after] = [join(parent, 'before'), join(parent, 'after')];
    mkdirSync(before);
    const own = await openTestRuntime({ workspace: before });
    await own.call('claude-code', 'bash', { command: 'echo kept' });
    await own.leave();
    renameSync(before, after);
    expect(await createTestTerminal(after).signalbox('history')).toMatchObject({
      exit: 0,
      out: expect.stringContaining('echo kept'),
    });
  });

  test('a pipe, which blocks nothing', async () => {
    const workspace = ownWorkspace();
    mkdirSync(join(workspace, '.signalbox'));
    spawnSync('/usr/bin/mkfifo', [join(workspace, LOCAL)]);
    expect(await saidByAll(workspace)).toEqual(refusals('it is a pipe'));
  });

  test('command pipes, which another coordinator creates or left when killed, stop nothing', async () => {
    const workspace = ownWorkspace();
    mkdirSync(join(workspace, '.signalbox'));
    const pipe = join(workspace, '.signalbox/pipe-b1402a69-74d6-400e-8ffd-f870d4f82c3e');
    spawnSync('/usr/bin/mkfifo', [`${pipe}-1`, `${pipe}-48`]);
    expect((await createTestTerminal(workspace).signalbox('exec', '--', 'echo ran')).exit).toBe(0);
    spawnSync('/usr/bin/mkfifo', [`${pipe}-log`]);
    expect(await saidByAll(workspace)).toEqual(refusals('it is a pipe'));
  });

  test.runIf(process.geteuid?.() === 0)('a folder or a file of another account', async () => {
    const workspace = ownWorkspace();
    await createTestTerminal(workspace).signalbox('init');
    chownSync(join(workspace, LOCAL), 4321, 4321);
    expect(await saidByAll(workspace)).toEqual(refusals('it belongs to account 4321'));
    chownSync(join(workspace, LOCAL), 0, 0);
    chownSync(join(workspace, '.signalbox'), 4321, 4321);
    expect(await saidByAll(workspace)).toEqual(refusals('it belongs to account 4321'));
  });
});

describe('a signalbox.yaml that is not a file gets a note, stops nothing, and shows nothing (R-D)', () => {
  test.for([
    ['a link to a file elsewhere', (path: string) => symlinkSync('/etc/passwd', path), 'a symbolic link'],
    ['a link to nothing', (path: string) => symlinkSync('gone', path), 'a symbolic link'],
    ['a link to a device', (path: string) => symlinkSync('/dev/null', path), 'a symbolic link'],
    ['a folder', (path: string) => mkdirSync(path), 'a folder'],
    ['a pipe', (path: string) => spawnSync('/usr/bin/mkfifo', [path]), 'a pipe'],
  ] as const)('%s', async ([, make, what]) => {
    const workspace = ownWorkspace();
    make(join(workspace, 'signalbox.yaml'));
    const { signalbox } = createTestTerminal(workspace);
    const ran = await signalbox('exec', '--', 'echo ran > a.txt');
    expect(ran).toMatchObject({
      exit: 0,
      talk: expect.stringContaining(`signalbox.yaml is ignored: it is ${what}`),
    });
    expect(readFileSync(join(workspace, 'a.txt'), 'utf8')).toBe('ran\n');
    expect((await signalbox('doctor')).out).toContain(`it is ${what}`);
    expect(ran.talk).not.toContain('root:');
  });

  test('init --force replaces a link with a file, and leaves its target unchanged', async () => {
    const workspace = ownWorkspace({ rc: 'mine\n' });
    symlinkSync('rc', join(workspace, 'signalbox.yaml'));
    expect(await createTestTerminal(workspace).signalbox('init', '--force')).toMatchObject({ exit: 0 });
    expect(readFileSync(join(workspace, 'rc'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(workspace, 'signalbox.yaml'), 'utf8')).toContain('Signalbox');
  });
});
