#!/usr/bin/env node
// Runs a task of this repository, installing first whatever the machine lacks:
// a recent Node.js and pnpm (private copies under scripts/toolchain), the
// workspace's packages, and the programs that commands run with.
//
//   node scripts/run.mjs demo|test|check|fix|bench|exec|signalbox|pnpm [arguments]
//
// Must itself run on old versions of Node.js, and without any package.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const OLDEST_NODE = [22, 18];
const OLDEST_PNPM = [11, 0];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
const [task, ...args] = process.argv.slice(2);

/** Program name to the name of its package, the same in apt, dnf and brew. */
const PROGRAMS = { bwrap: 'bubblewrap', git: 'git', rg: 'ripgrep' };

/** What only tests and measurements run: who uses Signalbox on one machine needs none of it. */
const TEST_PROGRAMS = { ...PROGRAMS, 'redis-server': 'redis' };

/** Too much to put on a person's machine for a test: elsewhere the tests of them are skipped, and counted so. */
const CI_PROGRAMS = { podman: 'podman', runc: 'runc', dockerd: 'docker.io', fish: 'fish', zsh: 'zsh' };

switch (task) {
  case 'demo':
    install();
    // The sandbox itself says what it cannot do without them.
    providePrograms(PROGRAMS, note);
    become('node', ['apps/cli/src/main.ts', 'demo', ...args]);
    break;
  case 'test':
    install();
    providePrograms(TEST_PROGRAMS, fail);
    if (env.CI !== undefined) providePrograms(CI_PROGRAMS, note);
    provideBrowser();
    // Each file of tests is a process of its own that loads the same packages.
    env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'tests');
    // No test waits for the clock; this only ends one that hangs, on however busy a machine. Left to itself, vitest
    // keeps a core for a person who edits meanwhile.
    become('vitest', ['run', '--maxWorkers', '100%', '--testTimeout', '180000', ...args]);
    break;
  case 'check':
    install();
    step('turbo boundaries', 'turbo', ['boundaries']);
    // One kind of fault must not hide the others.
    args.unshift('--continue=dependencies-successful');
    become('turbo', ['run', 'format', 'lint', 'typecheck', 'unused', 'build', 'package', ...args]);
    break;
  case 'fix':
    install();
    step('oxfmt', 'oxfmt', []);
    become('oxlint', ['--fix', '--max-warnings', '0', ...args]);
    break;
  case 'bench':
    install();
    providePrograms(TEST_PROGRAMS, fail);
    become('vitest', ['bench', '--run', ...args]);
    break;
  case 'exec':
    install();
    become(args[0] ?? 'node', args.slice(1));
    break;
  case 'signalbox':
    await signalbox();
    break;
  case 'pnpm':
    provideToolchain();
    become('pnpm', args);
    break;
  default:
    fail('usage: node scripts/run.mjs demo|test|check|fix|bench|exec|signalbox|pnpm [arguments]');
}

/** The program itself, in the folder of who calls: in this process where nothing has to be provided first. */
async function signalbox() {
  const main = join(root, 'apps', 'cli', 'src', 'main.ts');
  if (atLeast(process.versions.node, OLDEST_NODE) && isInstalled()) {
    process.argv = [process.execPath, main, ...args];
    await import(pathToFileURL(main).href);
    return;
  }
  provideToolchain();
  if (!isInstalled()) install();
  become('node', [main, ...args], process.cwd());
}

/** Whether the packages are those of the lockfile: pnpm leaves a copy of it when it is done. */
function isInstalled() {
  const [wanted, there] = ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((file) => join(root, file));
  return existsSync(there) && readFileSync(there, 'utf8') === readFileSync(wanted, 'utf8');
}

/** Installs the workspace's packages and puts their programs on the PATH. */
function install() {
  provideToolchain();
  if (!existsSync(join(root, 'node_modules'))) note('installing packages');
  // A changed manifest updates the lockfile, but never in CI. The lockfile is reviewed and holds a
  // checksum of every package: nothing to ask the registry about.
  const how = env.CI ? '--frozen-lockfile' : '--prefer-frozen-lockfile';
  step('pnpm install', 'pnpm', ['install', how, '--trust-lockfile', '--silent']);
  prependPath(join(root, 'node_modules', '.bin'));
}

/** Puts a recent `node` and a recent `pnpm` on the PATH. */
function provideToolchain() {
  if (atLeast(process.versions.node, OLDEST_NODE)) {
    prependPath(dirname(process.execPath));
  } else {
    provide('node', `node-${process.platform}-${process.arch}`, 'bin');
  }
  if (!atLeast(versionOf('pnpm'), OLDEST_PNPM)) {
    provide('pnpm', `@pnpm/exe.${process.platform}-${process.arch}`, '.');
  }
}

/** Puts a pinned copy of a tool on the PATH, installing it on the first call. */
function provide(tool, packageName, bin) {
  const folder = join(root, 'scripts', 'toolchain', tool);
  const pinned = readJson(join(folder, 'package.json')).optionalDependencies;
  const [version] = Object.values(pinned);
  const locked = packageName in pinned;
  if (tool === 'node' && !locked) {
    fail(`This needs Node.js ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
  }
  const installed = () =>
    // npm writes this file last.
    readJson(join(folder, 'node_modules', '.package-lock.json'))?.packages[`node_modules/${packageName}`]
      ?.version;
  if (installed() !== version) {
    note(`installing ${tool} ${version} under scripts/toolchain`);
    const what = locked ? ['ci'] : ['install', '--no-save', '--no-package-lock', `${packageName}@${version}`];
    const how = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    step(`installing ${tool} ${version}`, 'npm', [...what, ...how]);
  }
  prependPath(join(folder, 'node_modules', packageName, bin));
}

/** Without a browser the tests of the dashboard that need one are skipped, and counted so. */
function provideBrowser() {
  if (env.SIGNALBOX_CHROMIUM || onPath('chromium', 'chromium-browser', 'google-chrome')) return;
  providePrograms({ chromium: 'chromium' }, note);
}

/** Installs the missing ones of these programs where that can be done; elsewhere tells `missed` how to. */
function providePrograms(programs, missed) {
  // Bubblewrap is made of Linux namespaces: no other system has it.
  const wanted = Object.keys(programs).filter((name) => name !== 'bwrap' || process.platform === 'linux');
  const missing = wanted.filter((name) => !onPath(name));
  if (missing.length === 0) return;
  const packages = missing.map((name) => programs[name]);
  if (aptInstall(packages)) return;

  const list = packages.join(' ');
  const ways =
    process.platform === 'darwin'
      ? [`brew install ${list}`]
      : [`Debian, Ubuntu: sudo apt-get install ${list}`, `Fedora: sudo dnf install ${list}`];
  missed(`not on this machine's PATH: ${missing.join(', ')}. To install:\n  ${ways.join('\n  ')}`);
}

/** Says whether the packages are installed now. Only root on a Debian can: no password is asked for. */
function aptInstall(packages) {
  if (process.getuid() !== 0 || !existsSync('/etc/debian_version') || !onPath('apt-get')) return false;
  note(`installing ${packages.join(', ')} with apt-get`);
  // Runlevel 1 keeps Debian from starting what it installs as a service.
  const aptEnv = { ...env, DEBIAN_FRONTEND: 'noninteractive', DEBCONF_NOWARNINGS: 'yes', RUNLEVEL: '1' };
  const addThem = ['install', '--yes', '--no-install-recommends', ...packages];
  return [['update'], addThem].every(
    (what) =>
      spawnSync('apt-get', ['-qq', ...what], { env: aptEnv, stdio: ['ignore', 'ignore', 'inherit'] })
        .status === 0,
  );
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function prependPath(folder) {
  env.PATH = folder + delimiter + env.PATH;
}

function onPath(...names) {
  return names.some((name) => env.PATH.split(delimiter).some((folder) => existsSync(join(folder, name))));
}

function versionOf(command) {
  const result = spawnSync(command, ['--version'], { cwd: root, env, encoding: 'utf8' });
  return result.status === 0 ? result.stdout.trim() : '0.0.0';
}

function atLeast(version, [major, minor]) {
  const [a, b] = version.split('.').map(Number);
  return a > major || (a === major && b >= minor);
}

/** Runs a program to its end, as one step of several; a failure ends this process. */
function step(name, command, commandArgs) {
  const result = spawnSync(command, commandArgs, { cwd: root, env, stdio: 'inherit' });
  if (result.error) fail(`${command}: ${result.error.message}`);
  if (result.status !== 0) fail(`${name} failed (${result.signal ?? `exit ${result.status}`}).`);
}

/** Runs the program that is the task itself: passes signals on to it, and ends as it ends. */
function become(command, commandArgs, cwd = root) {
  const child = spawn(command, commandArgs, { cwd, env, stdio: 'inherit' });
  child.on('error', (error) => fail(`${command}: ${error.message}`));
  // Ctrl-C reaches the whole foreground group, the child too; other signals reach only this process.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function note(text) {
  process.stderr.write(`signalbox: ${text}\n`);
}

function fail(text) {
  note(text);
  process.exit(1);
}
