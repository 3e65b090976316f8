// Changes the code of files that decide, one small change at a time, and runs their tests, which must notice it.
//
//   npm run mutation [-- FILE…]     default: every file of mutated-files.ts
//
// Works on a copy of the checkout; `results.json` gets what came of it.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeHash, FLOOR, MUTATED_FILES, type MutatedFile } from './mutated-files.ts';
import { type Report, resultOf } from './read-report.ts';
import { readResults, type Results, RESULTS_FILE } from './results.ts';

/** Not a dependency of the workspace: everybody would install its hundred packages, and few run it. */
const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A change may cause an endless loop. */
const TIMEOUT_MS = 20_000;

const given = process.argv.slice(2);
const unknown = given.filter((file) => !MUTATED_FILES.some((mutated) => mutated.file === file));
if (unknown.length > 0) {
  process.stderr.write(
    `Cannot change ${unknown.join(', ')}: add it to scripts/mutation/mutated-files.ts, with its tests\n`,
  );
  process.exit(2);
}
const chosen = MUTATED_FILES.filter(({ file }) => given.length === 0 || given.includes(file));
const copy = mkdtempSync(join(tmpdir(), 'signalbox-mutation-'));
try {
  copyCheckout(copy);
  run('node', 'scripts/run.mjs', 'exec', 'pnpm', 'add', '-Dw', ...STRYKER);
  for (const mutated of chosen) mutate(mutated);
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function copyCheckout(target: string): void {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  const files = new Set(listed.stdout.split('\0').filter((file) => file !== ''));
  for (const file of files) cpSync(join(ROOT, file), join(target, file), { verbatimSymlinks: true });
}

function mutate(mutated: MutatedFile): void {
  const { file } = mutated;
  const hash = codeHash(ROOT, file);
  writeFileSync(join(copy, 'stryker.conf.json'), JSON.stringify(strykerConfig(mutated)));
  writeFileSync(join(copy, 'vitest.mutation.config.ts'), vitestConfig(mutated));
  run('node', 'scripts/run.mjs', 'exec', 'stryker', 'run', 'stryker.conf.json');
  const report = JSON.parse(readFileSync(join(copy, 'reports/mutation/mutation.json'), 'utf8')) as Report;
  const result = resultOf(report, file);
  save({ ...readResults(), [file]: { code: hash, ...result } });
  const share = (100 * result.killed) / result.changes;
  process.stdout.write(`${share.toFixed(1)} %  ${result.killed} of ${result.changes}  ${file}\n`);
  for (const survivor of result.survivors) process.stdout.write(`        ${survivor}\n`);
  if (share < FLOOR) process.exitCode = 1;
}

function strykerConfig({ file, runsOnImport = false }: MutatedFile): object {
  return {
    plugins: ['@stryker-mutator/vitest-runner'],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: [file],
    // Packages find each other by links, which lead out of a copy in a subfolder.
    inPlace: true,
    // A process keeps a loaded file, so code that runs on import can't be changed between tests.
    ignoreStatic: !runsOnImport,
    coverageAnalysis: 'perTest',
    concurrency: availableParallelism(),
    reporters: ['progress-append-only', 'json'],
    timeoutMS: TIMEOUT_MS,
    allowConsoleColors: false,
  };
}

function vitestConfig({ tests, runsOnImport = false }: MutatedFile): string {
  const test = {
    include: tests,
    isolate: runsOnImport,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  };
  return `export default ${JSON.stringify({ test })};\n`;
}

function save(results: Results): void {
  const sorted = Object.fromEntries(Object.entries(results).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(RESULTS_FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

function run(program: string, ...args: readonly string[]): void {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const { status, error } = spawnSync(program, args, {
    cwd: copy,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${status}`);
}
