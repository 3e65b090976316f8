#!/usr/bin/env node
// Builds the dashboard of this checkout into apps/dashboard/dist if its sources are newer than the build.
//
//   node scripts/build-dashboard.mjs
//
// Must itself run on old versions of Node.js, and without any package.
import { existsSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mtimeOf, runBuild, sourceFiles, withBuildLock } from './build-once.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = join(root, 'apps', 'dashboard');
const dist = join(app, 'dist');
const page = join(dist, 'index.html');
/** Created by the installation, and ignored by git: an interrupted build may leave files here. */
const scratch = join(app, 'node_modules');
const lock = join(scratch, '.building-dashboard');

/** Sources of the page. */
const SOURCES = [
  'index.html',
  'package.json',
  'public',
  'src',
  'vite.config.ts',
  '../../packages/api/src',
  '../../packages/core/src',
  '../../pnpm-lock.yaml',
].map((source) => join(app, source));

/** Whether the built page is at least as new as all its sources. */
export function isDashboardBuilt() {
  const builtAt = mtimeOf(page);
  return builtAt > 0 && sourceFiles(SOURCES).every(({ mtimeMs }) => mtimeMs <= builtAt);
}

/**
 * Builds the page next to the old one and swaps the two, so that a running server always has one. Of several concurrent
 * builders one builds, and the others wait for it. Rejects with the output of the build.
 */
export function buildDashboard({ node = process.execPath, env = process.env } = {}) {
  return withBuildLock(lock, async () => {
    if (isDashboardBuilt()) return;
    const fresh = join(scratch, `.dashboard-${process.pid}`);
    const old = join(scratch, `.dashboard-${process.pid}-old`);
    const startedAt = new Date();
    try {
      const vite = join(scratch, 'vite', 'bin', 'vite.js');
      const argv = [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'];
      await runBuild(argv, { cwd: app, node, env });
      // Files edited during the build are newer than this.
      utimesSync(join(fresh, 'index.html'), startedAt, startedAt);
      if (existsSync(dist)) renameSync(dist, old);
      renameSync(fresh, dist);
    } finally {
      for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildDashboard().catch((error) => {
    process.stderr.write(`signalbox: Cannot build the dashboard: ${error.message}\n`);
    process.exitCode = 1;
  });
}
