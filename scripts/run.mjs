#!/usr/bin/env node
// Runs a task of this repository, first installing what the machine lacks: a recent Node.js and pnpm (private copies
// under scripts/toolchain), the workspace's packages, and the programs that commands need.
//
//   node scripts/run.mjs demo|dev|test|check|lint|fix|bench|dashboard|exec|signalbox|pnpm [arguments]
//
// Must itself run on old versions of Node.js, and without any package.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as os from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { become, endWithParent } from './become.mjs';
import { buildDashboard, isDashboardBuilt } from './build-dashboard.mjs';

const OLDEST_NODE = [22, 18];
const OLDEST_PNPM = [11, 0];

/** Memory of one test process, including what it starts. */
const NEEDED_FOR_WORKER_BYTES = 2 * 1024 ** 3;

/** Memory that all tests together leave in use, and as much again for what they run. */
const NEEDED_FOR_TESTS_BYTES = 12 * 1024 ** 3;

/** Subcommands that serve the dashboard, or open it. */
const SERVING = new Set(['serve', 'dashboard']);

const cores = os.availableParallelism?.() ?? os.cpus().length;

/**
 * For the compiler and the typed linter, which run side by side and are written in Go. Collecting garbage when the heap
 * is five times what is live, not twice, takes a seventh less processor time and half as much memory again. Checkers of
 * the compiler repeat work of each other: half of the cores, up to its default of 4.
 */
const CHECK_ENV = { GOGC: '400', TSC_CHECKERS: `${Math.max(1, Math.min(4, cores >> 1))}` };

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
const [task, ...args] = process.argv.slice(2);

/** Program name to the name of its package, the same in apt, dnf and brew. */
const PROGRAMS = { bwrap: 'bubblewrap', git: 'git', rg: 'ripgrep' };

/** Only for tests and measurements: using Signalbox on one machine needs none of it. */
const TEST_PROGRAMS = { ...PROGRAMS, 'redis-server': 'redis' };

/** Too much to install on a user's machine for a test: elsewhere their tests are skipped, and counted as such. */
const CI_PROGRAMS = { podman: 'podman', runc: 'runc', dockerd: 'docker.io', fish: 'fish', zsh: 'zsh' };

switch (task) {
  case 'demo':
    install();
    // The sandbox itself reports what it can't do without them.
    providePrograms(PROGRAMS, note);
    become('node', ['apps/cli/src/main.ts', 'demo', ...args], { cwd: root, env });
    break;
  case 'dev':
    install();
    become('node', ['scripts/dev/dev.ts', ...args], { cwd: root, env, isTied: true });
    if (env.npm_lifecycle_event === 'dev') endWithParent();
    break;
  case 'test': {
    install();
    providePrograms(TEST_PROGRAMS, fail);
    if (env.CI !== undefined) providePrograms(CI_PROGRAMS, note);
    provideBrowser(env.CI === undefined && env.REQUIRE_CHROMIUM === undefined ? note : fail);
    if (!(await provideDashboard())) process.exit(1);
    // All test processes load the same packages.
    env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'tests');
    // No test waits for the clock; this only ends one that hangs, however busy the machine.
    const tests = ['vitest', 'run', '--maxWorkers', `${workers()}`, '--testTimeout', '180000', ...args];
    const [program, ...programArgs] = env.CI === undefined ? tests : withTemporaryFilesInMemory(tests);
    become(program, programArgs, { cwd: root, env });
    break;
  }
  case 'check':
    install();
    step('turbo boundaries', 'turbo', ['boundaries']);
    // One kind of failure must not hide the others.
    args.unshift('typecheck', 'unused', 'requirements', 'build', 'package');
    args.unshift('run', '--continue=dependencies-successful', 'format', 'lint:all');
    become('turbo', args, { cwd: root, env: { ...CHECK_ENV, ...env } });
    break;
  case 'lint':
  case 'fix':
    install();
    become('node', ['scripts/lint-changed.ts', task, ...args], { cwd: root, env: { ...CHECK_ENV, ...env } });
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
    fail(
      'usage: node scripts/run.mjs demo|dev|test|check|lint|fix|bench|dashboard|exec|signalbox|pnpm [arguments]',
    );
}

/**
 * How many test files run at once. By default vitest leaves a core for a user who is editing. A file spends a third of
 * its time waiting for a process or a timer: CI has no user, so there others use the cores meanwhile, as far as memory
 * allows.
 */
function workers() {
  if (env.CI === undefined) return '100%';
  return Math.max(cores, Math.min(2 * cores, Math.floor(os.freemem() / NEEDED_FOR_WORKER_BYTES)));
}

/**
 * The same program in its own mount namespace, where `/tmp` is in memory: the same tests take a quarter less time.
 * Tests of the sandbox, which are about files, stay on the disk. Unchanged if that is impossible, or memory is short.
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

/** The program itself, in the caller's folder: in this process unless something has to be installed first. */
async function signalbox() {
  // Commands run with the caller's programs, including their Node.js.
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

/** The first word that is neither a flag nor the value of one. */
function subcommandOf(words) {
  const first = words.findIndex(
    (word, i) => !word.startsWith('-') && !['-C', '--directory', '--color'].includes(words[i - 1]),
  );
  return words[first];
}

/** Builds the dashboard if needed, and reports it; false if the build failed. */
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

/** The same in the background: an agent gives the program little time to start, and its output is a protocol. */
function startDashboardBuild() {
  if (isDashboardBuilt()) return;
  const build = join(root, 'scripts', 'build-dashboard.mjs');
  spawn(nodeProgram(), [build], { env, stdio: 'ignore', detached: true }).unref();
}

function nodeProgram() {
  return atLeast(process.versions.node, OLDEST_NODE) ? process.execPath : 'node';
}

/** Whether the packages match the lockfile: pnpm leaves a copy of it when it is done. */
function isInstalled() {
  const [wanted, there] = ['pnpm-lock.yaml', 'node_modules/.pnpm/lock.yaml'].map((file) => join(root, file));
  return existsSync(there) && readFileSync(there, 'utf8') === readFileSync(wanted, 'utf8');
}

/** Installs the workspace's packages and puts their programs on the PATH. */
function install() {
  provideToolchain();
  const wasInstalled = isInstalled();
  if (!wasInstalled) note('installing packages (a minute or so the first time)');
  // A changed manifest updates the lockfile, but never in CI. The lockfile is reviewed and has a checksum of every
  // package, so the registry need not be asked.
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
 * Without a browser the dashboard's browser tests are skipped, and counted as such; in CI they fail. CI prefers the
 * headless shell of Chromium, which draws no windows: it takes a third less time for the same pages.
 */
function provideBrowser(missed) {
  if (env.SIGNALBOX_CHROMIUM || onPath('chromium-headless-shell')) return;
  const isHere = onPath('chromium', 'chromium-browser', 'google-chrome');
  if (isHere && env.CI === undefined) return;
  if (!aptInstall(['chromium-headless-shell']) && !isHere) providePrograms({ chromium: 'chromium' }, missed);
}

/** Installs the missing programs if possible; otherwise tells `missed` how to. */
function providePrograms(programs, missed) {
  // Bubblewrap uses Linux namespaces, which no other system has.
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

/**
 * Returns whether the packages are installed now. Only root on Debian can install them: no password is prompted for.
 */
function aptInstall(packages) {
  if (process.getuid() !== 0 || !existsSync('/etc/debian_version') || !onPath('apt-get')) return false;
  note(`installing ${packages.join(', ')} with apt-get`);
  // Runlevel 1 keeps Debian from starting installed services.
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

/** Runs a program to its end, as one of several steps; a failure ends this process. */
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
