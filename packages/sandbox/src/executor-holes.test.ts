import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import type { Execution, ExecutionHooks, ExecutionRequest } from '@signalbox/core';
import { createHarness, type SandboxHarness } from './testing/sandbox-harness.ts';

describe.each(['off', 'where-possible'] as const)('a confined command (transactions %s)', (transactions) => {
  let harness: SandboxHarness;
  beforeEach(() => {
    harness = createHarness({ transactions });
  });
  afterEach(() => harness.close());

  const run = (line: string, more: Partial<ExecutionRequest> = {}, hooks: Partial<ExecutionHooks> = {}) =>
    harness.run(line, more, hooks);
  const textOf = async (line: string): Promise<string> => {
    const { stdout, stderr } = await run(line);
    return stdout.text + stderr.text;
  };

  test('reads no environment of ours, not even that of process 1 (finding 2)', async () => {
    vi.stubEnv('SECRET_OF_OURS', 'leaked');
    onTestFinished(() => void vi.unstubAllEnvs());
    const text = await textOf(`cat /proc/*/environ | tr '\\0' '\\n' | sort -u`);
    expect(text).toContain('LC_ALL=C.UTF-8');
    expect(text).not.toContain('leaked');
  });

  test('inherits no descriptor of ours, however high (finding 3)', () => {
    const secret = join(harness.folder, 'secret');
    writeFileSync(secret, 'leaked');
    const held = openSync(secret, 'r');
    const stdio: (number | 'ignore' | 'pipe')[] = Array.from({ length: 206 }, () => 'ignore');
    stdio[1] = 'pipe';
    for (const descriptor of [9, 205]) stdio[descriptor] = held;
    const line = 'ls /proc/self/fd; cat <&9; cat <&205; true';
    const child = spawnSync(process.execPath, [RUN_ONE, harness.optionsJson, line], {
      stdio,
      encoding: 'utf8',
    });
    const done = JSON.parse(child.stdout) as Execution;
    expect(done.ended).toEqual({ kind: 'exited', exitCode: 0 });
    expect(done.stdout.text.split('\n').slice(0, 4)).toEqual(['0', '1', '2', '3']);
    expect(done.stdout.text).not.toContain('leaked');
  });

  test('opens its standard error by name (finding 10)', async () => {
    const done = await run('echo one > /dev/stderr; echo two | tee /dev/stderr');
    expect(done.stderr.text).toBe('one\ntwo\n');
    expect(done.stdout.text).toBe('two\n');
  });

  test('writes no setting of the kernel (finding 1)', async () => {
    const text = await textOf(
      `find /proc /sys -type f -writable -not -path '/proc/[0-9]*' -not -path '/proc/self/*' ` +
        `-not -path '/proc/thread-self/*' 2>/dev/null; ` +
        'echo x > /proc/sys/kernel/core_pattern; echo x > /proc/irq/default_smp_affinity',
    );
    expect(text).not.toMatch(/^\/(proc|sys)/m);
    expect(text.match(/Read-only file system|Permission denied/g)).toHaveLength(2);
  });

  test('writes only to its workspace and its private folders (S003-39, U-21)', async () => {
    const text = await textOf(
      'for d in / /etc /usr /var /home /opt /dev; do touch $d/signalbox-probe; done; ' +
        'touch /tmp/own /var/tmp/own ~/own /dev/shm/own && echo own; touch in-workspace && echo workspace',
    );
    expect(text).toContain('own\nworkspace\n');
    expect(text.match(/cannot touch/g)).toHaveLength(7);
    expect(existsSync('/tmp/own')).toBe(false);
    expect(existsSync(join(harness.workspace, 'in-workspace'))).toBe(true);
  });

  test('has empty private folders, whatever an earlier command left in them (S000-48)', async () => {
    const { ownFolders = [] } = (await run('true')).isolation;
    expect(ownFolders).toContain('/tmp');
    for (const folder of ownFolders) {
      const mine = `${folder}/signalbox-own-${process.pid}`;
      expect(await textOf(`ls -A ${folder}; echo kept > ${mine} && cat ${mine}`)).toContain('kept');
      expect(existsSync(mine)).toBe(false);
      expect(await textOf(`cat ${mine}`)).toContain('No such file');
    }
  });

  test('neither sees nor signals processes of the machine', async () => {
    const other = spawn('sleep', ['60'], { stdio: 'ignore' });
    const { stdout } = await run(
      `kill -KILL ${other.pid}; kill -KILL ${process.pid}; ls -d /proc/[0-9]* | wc -l`,
    );
    expect(other.exitCode).toBe(null);
    expect(other.signalCode).toBe(null);
    expect(Number(stdout.text)).toBeLessThan(10);
    other.kill('SIGKILL');
  });

  test('has no network, not even the loopback of the machine, unless it is granted', async () => {
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const line = `cat < /dev/tcp/127.0.0.1/${port}`;
    const [off, on] = [await run(line), await run(line, { network: 'on' })];
    server.close();
    expect(off.stderr.text).toContain('Connection refused');
    expect(off.isolation.net.strength).toBe('enforced');
    expect(on.stdout.text).toBe('hello');
    expect(on.isolation.net.strength).toBe('off');
  });

  test('cannot connect to a socket of the machine by its name (finding 9)', async () => {
    const path = join(harness.workspace, 'host.sock');
    const server = createServer((socket) => socket.end('hello')).listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    const script = `require('net').connect(process.argv[1]).on('data', (d) => console.log(String(d))).on('error', (e) => console.log(e.code))`;
    const done = await run('', {
      program: { kind: 'argv', argv: [process.execPath, '-e', script, path] },
    });
    server.close();
    expect(done.stdout.text).toMatch(/^(ECONNREFUSED|EACCES|ENOTSOCK)\n$/);
  });

  test('gains no capability, namespace or key, and traces no process', async () => {
    const text = await textOf(
      `grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status; ` +
        'unshare -Ur true; unshare -m true; mount -t tmpfs x /tmp; chroot / true; mknod d b 1 1; ' +
        'umount /proc/sys; setpriv --reuid=1 true',
    );
    expect(text).toMatch(/CapEff:\s0{16}\nCapBnd:\s0{16}\nNoNewPrivs:\s1\nSeccomp:\s2\n/);
    expect(text.match(/not permitted|denied|must be superuser|failed/g)?.length).toBeGreaterThanOrEqual(7);
  });

  test('has an empty home of its own, whatever secrets the real one holds', async () => {
    mkdirSync(join(harness.home, '.ssh'));
    mkdirSync(join(harness.home, '.aws'));
    writeFileSync(join(harness.home, '.ssh', 'id_ed25519'), 'leaked');
    writeFileSync(join(harness.home, '.aws', 'credentials'), 'leaked');
    writeFileSync(join(harness.home, '.netrc'), 'leaked');
    const text = await textOf(
      `cd; ls -A; cat ~/.ssh/* ~/.aws/* ~/.netrc; cat ${harness.home}/.netrc; echo mine > .netrc && cat .netrc`,
    );
    expect(text).not.toContain('leaked');
    expect(text).toMatch(/mine\n/);
    expect(readFileSync(join(harness.home, '.netrc'), 'utf8')).toBe('leaked');
  });

  test('can run programs of its PATH that are below the home', async () => {
    const tools = join(harness.home, '.local', 'bin');
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'my-tool'), '#!/bin/bash\necho worked\n');
    chmodSync(join(tools, 'my-tool'), 0o755);
    const text = await textOf('my-tool; node -p 1+1; echo x > ~/.local/bin/my-tool');
    expect(text).toContain('worked\n2\n');
    expect(text).toContain('Read-only file system');
  });

  test('reads no secret of the workspace, by its name or by a link', async () => {
    mkdirSync(join(harness.workspace, 'app/secrets'), { recursive: true });
    for (const path of ['.env', 'app/.env.local', 'app/secrets/key.pem']) {
      writeFileSync(join(harness.workspace, path), 'leaked');
    }
    writeFileSync(join(harness.workspace, '.env.example'), 'KEY=\n');
    symlinkSync('.env', join(harness.workspace, 'innocent'));
    symlinkSync(join(harness.folder, 'shared.env'), join(harness.workspace, 'app/.env'));
    writeFileSync(join(harness.folder, 'shared.env'), 'leaked');
    const text = await textOf(
      'cat .env app/.env app/.env.local innocent; cat app/secrets/*; grep -r leaked .; cat .env.example; ' +
        'echo x > .env; mv .env gone; rm -f .env; ls -A',
    );
    expect(text).not.toContain('leaked');
    expect(text).toContain('KEY=\n');
    expect(text).toContain('Device or resource busy');
    expect(readFileSync(join(harness.workspace, '.env'), 'utf8')).toBe('leaked');
  });

  test('reads no secret in build folders, nor in a folder whose old mtime was restored (R-B1, R-B2)', async () => {
    const folders = ['target/debug', '_build', '.venv', '.hg', 'deep/er/.svn', 'later'];
    for (const path of folders) mkdirSync(join(harness.workspace, path), { recursive: true });
    const setBack = (): void => utimesSync(join(harness.workspace, 'later'), 1, 1);
    setBack();
    expect(await textOf('ls -A later')).toBe('');
    for (const path of folders) {
      mkdirSync(join(harness.workspace, path, 'secrets'));
      for (const name of ['.env', 'secrets/key'])
        writeFileSync(join(harness.workspace, path, name), 'leaked');
    }
    setBack();
    expect(await textOf('grep -rhs leaked .; cat target/*/.env; echo done')).toMatch(/^done$/m);
    expect(await textOf('grep -rhs leaked . | sort -u')).toBe('');
  });

  test('neither reads nor writes the state folder', async () => {
    mkdirSync(join(harness.workspace, '.signalbox'), { recursive: true });
    writeFileSync(join(harness.workspace, '.signalbox/audit.jsonl'), 'leaked');
    const text = await textOf(
      'cat .signalbox/audit.jsonl; echo x > .signalbox/x; rm -rf .signalbox; ls .signalbox',
    );
    expect(text).not.toContain('leaked');
    expect(readFileSync(join(harness.workspace, '.signalbox/audit.jsonl'), 'utf8')).toBe('leaked');
    expect(readdirSync(join(harness.workspace, '.signalbox'))).toContain('audit.jsonl');
  });

  test('cannot change or move git hooks and configuration, and still commits', async () => {
    spawnSync('git', ['init', '-q', harness.workspace]);
    const config = readFileSync(join(harness.workspace, '.git/config'), 'utf8');
    writeFileSync(join(harness.workspace, 'signalbox.yaml'), 'mode: ask\n');
    const done = await run(
      'echo evil > .git/hooks/pre-commit; git config core.fsmonitor evil; mv .git moved; ' +
        'mv .git/hooks .git/moved; ln -s /tmp .git/hooks/x; echo "mode: auto" > signalbox.yaml; rm signalbox.yaml; ' +
        'echo a > a && git add a && git commit -q -m first && git log --format=%an:%s',
    );
    expect(done.stdout.text).toBe('Signalbox:first\n');
    expect(readFileSync(join(harness.workspace, '.git/config'), 'utf8')).toBe(config);
    expect(
      readdirSync(join(harness.workspace, '.git/hooks')).filter((name) => !name.endsWith('.sample')),
    ).toEqual([]);
    expect(readFileSync(join(harness.workspace, 'signalbox.yaml'), 'utf8')).toBe('mode: ask\n');
  });

  test('leaves no file in the workspace except those it wrote (finding 5) (S000-48)', async () => {
    await run('true');
    expect(readdirSync(harness.workspace).filter((name) => name !== '.signalbox')).toEqual([]);
  });

  test('creates no setuid file and no device (R-A6)', async () => {
    const tried = [
      "fs.chmodSync('f', 0o4755)",
      "fs.chmodSync('d', 0o2777)",
      "fs.openSync('g', 'w', 0o6755)",
      "fs.chmodSync('f', 0o755)",
    ].map((call) => `try { ${call}; console.log('made') } catch (error) { console.log(error.code) }`);
    const done = await run(
      `mkdir d; touch f; node -e "${tried.join('; ')}"; mknod c c 0 0 || echo no device; mkfifo p && rm p && echo a pipe`,
    );
    expect(done.stdout.text).toBe('EPERM\nEPERM\nEPERM\nmade\nno device\na pipe\n');
    const modes = ['d', 'f'].map((name) => lstatSync(join(harness.workspace, name)).mode & 0o6000);
    expect(modes).toEqual([0, 0]);
    expect(readdirSync(harness.workspace).toSorted().slice(-2)).toEqual(['d', 'f']);
  });

  test('reads no password file of the machine, even as root', async () => {
    expect(await textOf('cat /etc/shadow')).toContain('Permission denied');
  });
});

const RUN_ONE = inject('runOne');
