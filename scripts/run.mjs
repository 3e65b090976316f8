#!/usr/bin/env node
// Runs a task of this repository, installing first whatever the machine lacks:
// a recent Node.js and pnpm (private copies under scripts/toolchain), the
// workspace's packages, and the programs that commands run with.
//
//   node scripts/run.mjs demo|test|check|fix|bench|dashboard|exec|signalbox|pnpm [arguments]
//
// Must itself run on old versions of Node.js, and without any package.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as os from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { become } from './become.mjs';
import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs';

const OLDEST_NODE = [22, 18];
const OLDEST_PNPM = [11, 0];

/** Of a process that runs tests, and of what they start. */
const NEEDED_FOR_WORKER_BYTES = 2 * 1024 ** 3;

/** What the tests leave in memory at once, and as much again for what they run. */
const NEEDED_FOR_TESTS_BYTES = 12 * 1024 ** 3;

/** Subcommands that serve the dashboard, or open it. */
const SERVING = new Set(['serve', 'dashboard']);

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
    become('node', ['apps/cli/src/main.ts', 'demo', ...args], { cwd: root, env });
    break;
  case 'test': {
    install();
    providePrograms(TEST_PROGRAMS, fail);
    if (env.CI !== undefined) providePrograms(CI_PROGRAMS, note);
    provideBrowser(env.CI === undefined && env.REQUIRE_CHROMIUM === undefined ? note : fail);
    if (!(await provideDashboard())) process.exit(1);
    // Each process that runs tests loads the same packages.
    env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'tests');
    // No test waits for the clock; this only ends one that hangs, on however busy a machine.
    const tests = ['vitest', 'run', '--maxWorkers', `${workers()}`, '--testTimeout', '180000', ...args];
    const [program, ...programArgs] = env.CI === undefined ? tests : withTemporaryFilesInMemory(tests);
    become(program, programArgs, { cwd: root, env });
    break;
  }
  case 'check':
    install();
    step('turbo boundaries', 'turbo', ['boundaries']);
    // One kind of fault must not hide the others.
    args.unshift('--continue=dependencies-successful');
    become('turbo', ['run', 'format', 'lint', 'typecheck', 'unused', 'build', 'package', ...args], {
      cwd: root,
      env,
    });
    break;
  case 'fix':
    install();
    step('oxfmt', 'oxfmt', []);
    become('oxlint', ['--fix', '--max-warnings', '0', ...args], { cwd: root, env });
    break;
  case 'bench':
    install();
    providePrograms(TEST_PROGRAMS, fail);
    become('vitest', ['bench', '--run', ...args], { cwd: root, env });
    break;
  case 'dashboard':
    install();
    if (!(await provideDashboard())) process.exit(1);
    note('the dashboard is built');
    break;
  case 'exec':
    install();
    become(args[0] ?? 'node', args.slice(1), { cwd: root, env });
    break;
  case 'signalbox':
    await signalbox();
    break;
  case 'pnpm':
    provideToolchain();
    become('pnpm', args, { cwd: root, env });
    break;
  default:
    fail('usage: node scripts/run.mjs demo|test|check|fix|bench|dashboard|exec|signalbox|pnpm [arguments]');
}

/**
 * How many files of tests run at once. Left to itself, vitest keeps a core for a person who edits meanwhile. A third of the
 * time a file waits for a process or a timer: nobody works beside CI, so others use the cores then, as far as memory goes.
 */
function workers() {
  if (env.CI === undefined) return '100%';
  const cores = os.availableParallelism?.() ?? os.cpus().length;
  return Math.max(cores, Math.min(2 * cores, Math.floor(os.freemem() / NEEDED_FOR_WORKER_BYTES)));
}

/**
 * The same program in a mount namespace of its own, where `/tmp` is memory: the same tests take a quarter less. Those of
 * the sandbox, which are about files, stay on the disk. Unchanged where that can't be had, or memory is short.
 */
function withTemporaryFilesInMemory(argv) {
  const used = [root, process.execPath, process.cwd(), ...env.PATH.split(delimiter)];
  const isUsed = used.some((path) => `${path}/`.startsWith('/tmp/'));
  if (isUsed || env.TMPDIR !== undefined || os.freemem() < NEEDED_FOR_TESTS_BYTES) return argv;
  const mount = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    'mount -t tmpfs -o mode=1777 tests /tmp && exec "$@"',
    'sh',
  ];
  if (spawnSync(mount[0], [...mount.slice(1), 'true'], { env, stdio: 'ignore' }).status !== 0) return argv;
  env.TESTS_ON_DISK = '/var/tmp';
  return [...mount, ...argv];
}

/** The program itself, in the folder of who calls: in this process where nothing has to be provided first. */
async function signalbox() {
  // Commands run with the programs of who calls, their own Node.js among them.
  const { PATH: path } = env;
  const main = join(root, 'apps', 'cli', 'src', 'main.ts');
  const isRecent = atLeast(process.versions.node, OLDEST_NODE);
  if (!isInstalled()) install();
  else if (!isRecent) provideNode();
  const subcommand = subcommandOf(args);
  if (subcommand === 'mcp') startDashboardBuild();
  else if (SERVING.has(subcommand)) await provideDashboard();
  if (!isRecent) {
    const folder = env.PATH.split(delimiter).find((one) => existsSync(join(one, 'node')));
    const own = { ...env, PATH: path };
    become(join(folder, 'node'), [main, ...args], { cwd: process.cwd(), env: own, isTied: true });
    return;
  }
  process.argv = [process.execPath, main, ...args];
  await import(pathToFileURL(main).href);
}

/** The first word that is no flag, nor the value of one. */
function subcommandOf(words) {
  const first = words.findIndex(
    (word, i) => !word.startsWith('-') && !['-C', '--directory', '--color'].includes(words[i - 1]),
  );
  return words[first];
}

/** Builds the page that people open, where that is needed, and says so; false where it could not be built. */
async function provideDashboard() {
  if (isDashboardBuilt()) return true;
  note('building the dashboard (a few seconds, and again only when its sources change)');
  try {
    await buildDashboard({ node: nodeProgram(), env });
    return true;
  } catch (error) {
    note(`could not build the dashboard; all else works. ${error.message}`);
    return false;
  }
}

/** The same beside the program: an agent gives the one it starts little time, and its output is a protocol. */
function startDashboardBuild() {
  if (isDashboardBuilt()) return;
  const build = join(root, 'scripts', 'build-dashboard.mjs');
  spawn(nodeProgram(), [build], { env, stdio: 'ignore', detached: true }).unref();
}

function nodeProgram() {
  return atLeast(process.versions.node, OLDEST_NODE) ? process.execPath : 'node';
}

/** Whether the packages are those of the lockfile: pnpm leaves a copy of it when it is done. */
function isInstalled() {
  const [wanted, there] = ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((file) => join(root, file));
  return existsSync(there) && readFileSync(there, 'utf8') === readFileSync(wanted, 'utf8');
}

/** Installs the workspace's packages and puts their programs on the PATH. */
function install() {
  provideToolchain();
  const wasInstalled = isInstalled();
  if (!wasInstalled) note('installing packages (a minute or so the first time)');
  // A changed manifest updates the lockfile, but never in CI. The lockfile is reviewed and holds a
  // checksum of every package: nothing to ask the registry about.
  const how = env.CI ? '--frozen-lockfile' : '--prefer-frozen-lockfile';
  const shows = !wasInstalled && process.stderr.isTTY;
  step('pnpm install', 'pnpm', ['install', how, '--trust-lockfile', shows ? '--use-stderr' : '--silent']);
  prependPath(join(root, 'node_modules', '.bin'));
}

/** Puts a recent `node` and a recent `pnpm` on the PATH. */
function provideToolchain() {
  provideNode();
  if (!atLeast(versionOf('pnpm'), OLDEST_PNPM)) {
    provide('pnpm', `@pnpm/exe.${process.platform}-${process.arch}`, '.');
  }
}

function provideNode() {
  if (atLeast(process.versions.node, OLDEST_NODE)) {
    prependPath(dirname(process.execPath));
  } else {
    provide('node', `node-${process.platform}-${process.arch}`, 'bin');
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

/**
 * Without a browser the tests of the dashboard that need one are skipped, and counted so; in CI they fail. There the
 * shell of Chromium is preferred, which draws no windows: it takes a third less time for the same pages.
 */
function provideBrowser(missed) {
  if (env.SIGNALBOX_CHROMIUM || onPath('chromium-headless-shell')) return;
  const isHere = onPath('chromium', 'chromium-browser', 'google-chrome');
  if (isHere && env.CI === undefined) return;
  if (!aptInstall(['chromium-headless-shell']) && !isHere) providePrograms({ chromium: 'chromium' }, missed);
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
  // Standard output belongs to the task: `signalbox mcp` speaks a protocol there.
  const result = spawnSync(command, commandArgs, { cwd: root, env, stdio: ['inherit', 2, 2] });
  if (result.error) fail(`${command}: ${result.error.message}`);
  if (result.status !== 0) fail(`${name} failed (${result.signal ?? `exit ${result.status}`}).`);
}

function note(text) {
  process.stderr.write(`signalbox: ${text}\n`);
}

function fail(text) {
  note(text);
  process.exit(1);
}
