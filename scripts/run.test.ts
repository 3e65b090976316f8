import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const run = fileURLToPath(new URL('run.mjs', import.meta.url));
const timeout = 60_000;

test('run.mjs without a task names its tasks', () => {
  const { status, stderr } = spawnSync(process.execPath, [run], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr:
      'signalbox: usage: node scripts/run.mjs demo|dev|test|check|lint|fix|bench|dashboard|exec|signalbox|pnpm [arguments]\n',
  });
});

test('run.mjs exits with the exit code of its program', { timeout }, () => {
  const { status } = spawnSync(process.execPath, [run, 'exec', 'node', '-e', 'process.exit(7)']);
  expect(status).toBe(7);
});

test('run.mjs passes a signal on and dies of it', { timeout }, async () => {
  const program = `setInterval(() => {}, 1000); console.log('ready')`;
  const child = spawn(process.execPath, [run, 'exec', 'node', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await exit).toEqual([null, 'SIGTERM']);
});

test(
  'a server stops when its launcher is killed, which can’t pass anything on (F-W3)',
  { timeout },
  async () => {
    const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-bin-')));
    // As run.mjs does when the Node.js that started it is too old for the program itself.
    const launch = `
    import { become } from ${JSON.stringify(new URL('become.mjs', import.meta.url).href)};
    const main = ${JSON.stringify(fileURLToPath(new URL('../apps/cli/src/main.ts', import.meta.url)))};
    become(process.execPath, [main, 'serve', '--foreground', '--port', '0', '--json'], { cwd: process.cwd(), env: process.env, isTied: true });`;
    const launcher = spawn(process.execPath, ['--input-type=module', '-e', launch], {
      cwd: workspace,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(launcher.stdout, 'data');
      launcher.kill('SIGKILL');
      // The server holds the other end until it has ended.
      await once(launcher, 'close');
      expect(readdirSync(join(workspace, '.signalbox'))).not.toContain('coordinator.lock');
    } finally {
      rmSync(workspace, { recursive: true, force: true });
    }
  },
);

test('bin/signalbox works in the caller’s folder, and exits as the program exits', { timeout }, () => {
  const signalbox = fileURLToPath(new URL('../bin/signalbox', import.meta.url));
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-bin-')));
  try {
    const check = spawnSync(signalbox, ['check', '--', 'sudo rm -rf x'], { cwd, encoding: 'utf8' });
    expect({ status: check.status, stderr: check.stderr }).toEqual({ status: 3, stderr: '' });
    expect(check.stdout).toContain('sudo rm -rf x');
    const init = spawnSync(signalbox, ['init'], { cwd, encoding: 'utf8' });
    expect(init.status).toBe(0);
    expect(existsSync(join(cwd, 'signalbox.yaml'))).toBe(true);
    // If that Node.js is too old for the program, another one starts it.
    const PATH = `/usr/bin:/bin:${dirname(process.execPath)}`;
    const line = ['exec', '--', 'echo "$PATH"'];
    const ran = spawnSync(signalbox, line, { cwd, encoding: 'utf8', env: { ...process.env, PATH } });
    expect(ran.stdout).toBe(`${PATH}\n`);
    expect(spawnSync(signalbox, ['stop', '--now'], { cwd }).status).toBe(0);
    const wrong = spawnSync(signalbox, ['nothing-such'], { cwd, encoding: 'utf8' });
    expect(wrong.status).toBe(2);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});
