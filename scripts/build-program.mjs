#!/usr/bin/env node
// Bundles the program of this checkout, which then starts in a fraction of the time that it takes from source.
//
//   node scripts/build-program.mjs     prints the file to start
//
// Must itself run on old versions of Node.js, and without any package.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBuild, sourceFiles, withBuildLock } from './build-once.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const app = join(root, 'apps', 'cli');
/** Created by the installation, and ignored by git. */
const folder = join(app, 'node_modules');
const lock = join(folder, '.building-program');
const PREFIX = '.program-';
/** A running program loads more of its own build later on: this many builds are kept, the oldest removed first. */
const KEPT = 8;

/** Folder of the bundle for the current sources, built or not. */
function folderOfSources() {
  const packages = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  const shared = [...packages, join(root, 'apps', 'bench')].flatMap((part) => [
    join(part, 'package.json'),
    join(part, 'src'),
  ]);
  const own = ['package.json', 'src', 'rolldown.config.ts', 'rolldown.checkout.config.ts'];
  const paths = [join(root, 'pnpm-lock.yaml'), ...own.map((name) => join(app, name)), ...shared];
  const facts = sourceFiles(paths).map(({ path, mtimeMs, size }) => `${path} ${mtimeMs} ${size}`);
  // Not only newer files: one that is removed or restored also changes the program.
  const key = createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 16);
  return join(folder, `${PREFIX}${key}`);
}

const entryIn = (built) => join(built, 'main.js');

/** The file to start, if the program is built from the current sources; else null. */
export function builtProgram() {
  const entry = entryIn(folderOfSources());
  return existsSync(entry) ? entry : null;
}

/** Builds the program if needed, and returns the file to start. Rejects with the output of the build. */
export function buildProgram({ node = process.execPath, env = process.env } = {}) {
  return withBuildLock(lock, async () => {
    const built = folderOfSources();
    if (existsSync(entryIn(built))) return entryIn(built);
    const fresh = join(folder, `.building-program-${process.pid}`);
    try {
      const rolldown = join(folder, 'rolldown', 'bin', 'cli.mjs');
      const config = ['-c', 'rolldown.checkout.config.ts', '--dir', fresh];
      await runBuild([rolldown, ...config], { cwd: app, node, env });
      renameSync(fresh, built);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    removeOldest();
    return entryIn(built);
  });
}

function removeOldest() {
  const builds = readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(folder, name))
    .map((path) => ({ path, builtAt: statSync(path).mtimeMs }))
    // oxlint-disable-next-line unicorn/no-array-sort -- an old Node.js has no toSorted
    .sort((a, b) => b.builtAt - a.builtAt);
  for (const { path } of builds.slice(KEPT)) rmSync(path, { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildProgram().then(
    (entry) => process.stdout.write(`${entry}\n`),
    (error) => {
      process.stderr.write(`signalbox: Cannot build the program: ${error.message}\n`);
      process.exitCode = 1;
    },
  );
}
