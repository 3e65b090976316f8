// Changes the code of files that decide, one small change at a time, and runs their tests, which must notice it.
//
//   npm run mutation [-- FILE…]     default: every file of mutated-files.ts
//
// Works on a copy of the checkout; `results.json` gets what came of it. All changes of a file are built into it at once,
// and one process of Vitest tries them in turn (`try-changes.ts`), because loading the code takes most of the time.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openInstrumenter, STRYKER } from './instrument.ts';
import { codeHash, FLOOR, MUTATED_FILES, type MutatedFile } from './mutated-files.ts';
import { type Mutant, resultOf } from './read-report.ts';
import { readResults, type Results, RESULTS_FILE } from './results.ts';
import { INPUT_FILE, OUTPUT_FILE, type TriedChanges } from './tried-changes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** A change may cause a wait without an end; a test takes milliseconds otherwise. */
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
  const instrument = await openInstrumenter(copy);
  for (const mutated of chosen) {
    const source = readFileSync(join(copy, mutated.file), 'utf8');
    const { code, changes } = await instrument(mutated.file, source);
    writeFileSync(join(copy, mutated.file), code);
    const mutants = tryAll(mutated, changes);
    writeFileSync(join(copy, mutated.file), source);
    report(mutated.file, { source, mutants });
  }
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

function tryAll(mutated: MutatedFile, changes: readonly Mutant[]): readonly Mutant[] {
  const { file, tests, runsOnImport = false } = mutated;
  const ids = changes.flatMap(({ id, status }) => (status === undefined ? [id] : []));
  writeFileSync(join(copy, INPUT_FILE), JSON.stringify({ file, tests, runsOnImport, ids }));
  writeFileSync(join(copy, 'vitest.mutation.config.ts'), vitestConfig());
  // Fails whenever a test notices a change.
  start('node', 'scripts/run.mjs', 'exec', 'vitest', 'run', '--config', 'vitest.mutation.config.ts');
  const { problem, status } = JSON.parse(readFileSync(join(copy, OUTPUT_FILE), 'utf8')) as TriedChanges;
  rmSync(join(copy, OUTPUT_FILE));
  if (problem !== null) throw new Error(`Cannot try the changes of ${file}: ${problem}`);
  return changes.map((mutant) => ({ ...mutant, status: mutant.status ?? status[mutant.id] ?? 'Pending' }));
}

function report(file: string, reported: Readonly<{ source: string; mutants: readonly Mutant[] }>): void {
  const result = resultOf({ files: { [file]: reported } }, file);
  save({ ...readResults(), [file]: { code: codeHash(copy, file), ...result } });
  const share = (100 * result.killed) / result.changes;
  process.stdout.write(`${share.toFixed(1)} %  ${result.killed} of ${result.changes}  ${file}\n`);
  for (const survivor of result.survivors) process.stdout.write(`        ${survivor}\n`);
  if (share < FLOOR) process.exitCode = 1;
}

function vitestConfig(): string {
  const test = {
    include: ['scripts/mutation/try-changes.ts'],
    isolate: false,
    testTimeout: TIMEOUT_MS,
    hookTimeout: 60_000,
    // Most groups have a test that fails, as it should.
    reporters: ['json'],
    outputFile: 'vitest.json',
    silent: true,
    // A change may leave a rejection behind.
    dangerouslyIgnoreUnhandledErrors: true,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  };
  return `export default ${JSON.stringify({ test })};\n`;
}

function save(results: Results): void {
  const sorted = Object.fromEntries(Object.entries(results).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(RESULTS_FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

function run(program: string, ...args: readonly string[]): void {
  const status = start(program, ...args);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${status}`);
}

function start(program: string, ...args: readonly string[]): number | null {
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const { status, error } = spawnSync(program, args, {
    cwd: copy,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (error !== undefined) throw error;
  return status;
}
