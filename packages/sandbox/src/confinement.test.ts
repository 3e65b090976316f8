import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ExecutionRequest } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { HOME_SECRETS } from './bubblewrap/machine-paths.ts';
import { createExecutor } from './executor.ts';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';
import { systemClock } from './testing/system-clock.ts';

describe('a confined command', () => {
  let harness: SandboxHarness;
  beforeEach(() => {
    harness = createHarness();
  });
  afterEach(() => harness.close());

  test('runs exactly what was judged: bash without profiles, and the line as one argument (rule 10)', async () => {
    const line = `tr '\\0' '|' </proc/$$/cmdline; echo; echo "$- $0"; shopt -q login_shell || echo no login`;
    const done = await harness.run(line);
    expect(done.stdout.text).toBe(`/bin/bash|--noprofile|--norc|-c|${line}|\nhBc /bin/bash\nno login\n`);
  });

  test('reads no start file from its home or workspace', async () => {
    const done = await harness.run(
      'for f in .bashrc .bash_profile .profile .inputrc; do echo "echo evil" >~/$f; done; bash -c "echo inner"; echo "${BASH_ENV-unset} ${ENV-unset}"',
      { env: { LANG: 'C' } },
    );
    expect(done.stdout.text).toBe('inner\nunset unset\n');
  });

  test('has this environment and nothing more (rule 10)', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'leaked');
    onTestFinished(() => void vi.unstubAllEnvs());
    const done = await harness.run('env', { env: { MINE: 'yes' } });
    const names = done.stdout.text
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names).toHaveLength(new Set(names).size);
    expect(new Set(names)).toEqual(
      new Set([
        'NO_UPDATE_NOTIFIER',
        'npm_config_update_notifier',
        'GIT_CONFIG_COUNT',
        'GIT_CONFIG_GLOBAL',
        'GIT_CONFIG_KEY_0',
        'GIT_CONFIG_KEY_1',
        'GIT_CONFIG_KEY_2',
        'GIT_CONFIG_KEY_3',
        'GIT_CONFIG_VALUE_0',
        'GIT_CONFIG_VALUE_1',
        'GIT_CONFIG_VALUE_2',
        'GIT_CONFIG_VALUE_3',
        'GIT_EDITOR',
        'GIT_OPTIONAL_LOCKS',
        'GIT_PAGER',
        'GIT_TERMINAL_PROMPT',
        'HOME',
        'LANG',
        'LC_ALL',
        'MANPAGER',
        'MINE',
        'PAGER',
        'PATH',
        'PWD',
        'SHELL',
        'SHLVL',
        'SIGNALBOX_COMMAND',
        'TERM',
        '_',
      ]),
    );
    expect(done.stdout.text).toContain('LC_ALL=C.UTF-8\n');
    expect(done.stdout.text).toContain('GIT_OPTIONAL_LOCKS=0\n');
  });

  test('cannot connect to any socket of the machine, wherever its path is (finding 9)', async () => {
    const folder = mkdtempSync(join(visibleFolder(), '.signalbox-'));
    const path = join(folder, 'host.sock');
    const server = createServer((socket) => socket.end('leaked')).listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    const script = `require('net').connect('${path}').on('data', String).on('error', (e) => console.log(e.code))`;
    const done = await harness.run(`ls -la ${folder}; ${process.execPath} -e "${script}"`);
    server.close();
    rmSync(folder, { recursive: true });
    expect(done.stdout.text).toMatch(/host\.sock\n(ECONNREFUSED|EACCES|ENOTSOCK)\n$/);
  });

  test('has an empty home of its own, wherever the real one is', async () => {
    const home = mkdtempSync(join(visibleFolder(), '.signalbox-'));
    mkdirSync(join(home, 'work'));
    for (const name of ['notes', 'work/token']) writeFileSync(join(home, name), 'leaked');
    const elsewhere = createHarness({ home });
    const line = `ls -A ~ ${home}; cat ${home}/notes ${home}/work/token; echo mine >~/notes && cat ~/notes`;
    const done = await elsewhere.run(line);
    const left = readFileSync(join(home, 'notes'), 'utf8');
    rmSync(home, { recursive: true });
    await elsewhere.close();
    expect(done.stdout.text).toBe(`${home}:\n\n${home}:\nmine\n`);
    expect(left).toBe('leaked');
  });

  test('can listen on Unix sockets, as tsx does, but on no other kind', async () => {
    const script = `
      const net = require('net');
      net.createServer((s) => s.end('own')).listen('/tmp/own.sock', () =>
        net.connect('/tmp/own.sock').on('data', (d) => { console.log(String(d)); process.exit(); }));`;
    const done = await harness.run('', { program: { kind: 'argv', argv: [process.execPath, '-e', script] } });
    expect(done.stdout.text).toBe('own\n');
  });

  test('reads no file the policy denies, in any folder', async () => {
    const denied = createHarness({ isDenied: (path) => /(^|\/)(id_rsa|.*\.kdbx)$/.test(path) });
    mkdirSync(join(denied.workspace, 'a/b'), { recursive: true });
    for (const path of ['id_rsa', 'a/b/pass.kdbx']) writeFileSync(join(denied.workspace, path), 'leaked');
    const done = await denied.run('cat id_rsa a/b/pass.kdbx; grep -r leaked .; cp id_rsa copy; cat copy');
    await denied.close();
    expect(done.stdout.text).toBe('');
  });
});

/**
 * A folder outside the workspace that commands can see and we can write to. Temporary folders don't work:
 * commands have their own.
 */
function visibleFolder(): string {
  const folders = [join(import.meta.dirname, '../node_modules'), '/opt', '/srv', '/var/cache'];
  const found = folders.find((folder) => !/^\/(tmp|run|root|home)\//.test(folder) && isWritable(folder));
  if (found === undefined) throw new Error(`None of ${folders.join(', ')} can be used`);
  return found;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

test('keys, tokens and credentials below a home stay hidden even if the home is the workspace', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  for (const name of HOME_SECRETS) {
    // Both files and folders: a mask covers either.
    const path = join(home, name, name.length % 2 === 0 ? 'inner' : '');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `leaked ${name}\n`);
  }
  const executor = createExecutor({
    workspace: home,
    home,
    stateFolder: join(home, '.state'),
    path: '/usr/bin:/bin',
    standby: 0,
    confinement: 'required',
    clock: systemClock,
  });
  const request: ExecutionRequest = aShellRequest('grep -rs leaked .; cat .ssh/* .netrc; echo done');
  const done = await executor.execute(request, {
    signal: new AbortController().signal,
    onOutput: () => undefined,
  });
  rmSync(home, { recursive: true });
  expect(done.stdout.text).toBe('done\n');
  expect(HOME_SECRETS.length).toBeGreaterThan(40);
});
