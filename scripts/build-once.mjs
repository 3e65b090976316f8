// Shared parts of a checkout's own builds. Must run on old versions of Node.js, and without any package.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NO_SOURCE = /^(?:testing|node_modules)$|\.(?:test|bench)\.tsx?$/;
const LOOK_EVERY_MS = 200;
/** A build takes seconds: an older lock was left behind, whatever process has its pid now. */
const LONGEST_BUILD_MS = 300_000;

/**
 * Every file at or below these paths that a build may read, with its size and modification time. Tests are left out.
 */
export function sourceFiles(paths) {
  return paths.flatMap((path) => {
    const stats = statSync(path);
    if (!stats.isDirectory()) return [{ path, mtimeMs: stats.mtimeMs, size: stats.size }];
    const names = readdirSync(path).filter((name) => !NO_SOURCE.test(name));
    return sourceFiles(names.map((name) => join(path, name)));
  });
}

/** One of several processes works, and the others wait for it. */
export async function withBuildLock(lock, work) {
  while (!takeLock(lock)) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Runs a bundler to its end. Rejects with its output: standard output belongs to the program that is started next. */
export function runBuild(argv, { cwd, node, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, argv, {
      cwd,
      env: { ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`the build ended with ${signal || `exit code ${code}`}\n${said.trim()}`));
    });
  });
}

/** Modification time in epoch milliseconds; 0 if the file does not exist. */
export function mtimeOf(path) {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

/** False while another live process builds. */
function takeLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isBuilding(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isBuilding(lock) {
  if (Date.now() - mtimeOf(lock) > LONGEST_BUILD_MS) return false;
  try {
    const pid = Number(readFileSync(lock, 'utf8'));
    // An empty file was just created, and its pid is about to be written.
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
