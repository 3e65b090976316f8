#!/usr/bin/env node
// Builds the dashboard of this checkout into apps/dashboard/dist when its sources are newer than what is there.
//
//   node scripts/build-dashboard.mjs
//
// Must itself run on old versions of Node.js, and without any package.
import { spawn } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = join(root, 'apps', 'dashboard');
const dist = join(app, 'dist');
const page = join(dist, 'index.html');
/** Installed with the packages, and ignored by git: here a build may leave what was interrupted. */
const scratch = join(app, 'node_modules');
const lock = join(scratch, '.building-dashboard');

/** What the page is made of. */
const SOURCES = [
  'index.html',
  'package.json',
  'public',
  'src',
  'vite.config.ts',
  '../../packages/core/src',
  '../../pnpm-lock.yaml',
];
const NOT_IN_PAGE = /^testing$|\.(?:test|bench)\.tsx?$/;
const LOOK_EVERY_MS = 200;
/** A build takes seconds: a lock older than this is one that was left, whoever has its process id now. */
const LONGEST_BUILD_MS = 300_000;

/** Whether the built page is at least as new as every source of it. */
export function isDashboardBuilt() {
  const builtAt = mtimeOf(page);
  return builtAt > 0 && SOURCES.every((source) => isOlder(join(app, source), builtAt));
}

/**
 * Builds the page beside the old one and swaps the two, so that a running server is never left without one. Of several
 * builders one builds, and the others wait for it. Rejects with what the build printed.
 */
export async function buildDashboard({ node = process.execPath, env = process.env } = {}) {
  while (!takeLock()) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  try {
    if (isDashboardBuilt()) return;
    const fresh = join(scratch, `.dashboard-${process.pid}`);
    const old = join(scratch, `.dashboard-${process.pid}-old`);
    const startedAt = new Date();
    try {
      await vite(['build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'], node, env);
      // What is edited meanwhile is newer than this.
      utimesSync(join(fresh, 'index.html'), startedAt, startedAt);
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(fresh, dist);
    } finally {
      for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
    }
  } finally {
    rmSync(lock, { force: true });
  }
}

/** False while another process that lives builds. */
function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isBuilding()) rmSync(lock, { force: true });
    return false;
  }
}

function isBuilding() {
  if (Date.now() - mtimeOf(lock) > LONGEST_BUILD_MS) return false;
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // An empty file: it was made this moment, and its process id is about to be written.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function vite(args, node, env) {
  return new Promise((resolve, reject) => {
    const program = join(app, 'node_modules', 'vite', 'bin', 'vite.js');
    // Both to memory: standard output belongs to the program that is started next.
    const child = spawn(node, [program, ...args], {
      cwd: app,
      env: { ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`vite build ended with ${signal || `exit code ${code}`}\n${said.trim()}`));
    });
  });
}

function isOlder(path, builtAt) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs <= builtAt;
  return readdirSync(path).every((name) => NOT_IN_PAGE.test(name) || isOlder(join(path, name), builtAt));
}

/** 0 where nothing is. */
function mtimeOf(path) {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildDashboard().catch((error) => {
    process.stderr.write(`signalbox: Cannot build the dashboard: ${error.message}\n`);
    process.exitCode = 1;
  });
}
