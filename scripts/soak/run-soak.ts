// Runs the load tester for a long time on both backends, and kills coordinators, workers and Redis meanwhile.
//
//   npm run soak [-- --minutes 60] [--seed N]
//
// Prints a line for each phase; exits with 1 if anything was lost, doubled, shown wrongly or left behind, or memory grew.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PHASES } from './phases.ts';
import { type PhaseResult, runPhase } from './run-phase.ts';

const BUILD = fileURLToPath(new URL('../build-program.mjs', import.meta.url));
/** A phase must be longer than the time between two kills. */
const LEAST_MINUTES = 1;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 2 ** 16);
if (!(minutes >= LEAST_MINUTES) || !Number.isInteger(seed) || seed < 0) {
  process.stderr.write(
    `Cannot soak: --minutes is a number from ${LEAST_MINUTES}, and --seed a whole one\n  npm run soak -- --minutes 10\n`,
  );
  process.exit(2);
}

const program = execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 'pipe', 'inherit'] })
  .toString()
  .trim();
say(`${minutes} minutes, seed ${seed}`);
let faults = 0;
for (const phase of PHASES) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-soak-')));
  const seconds = Math.round((minutes * 60 * phase.share) / 100);
  const result = await runPhase(phase, { program, folder, seconds, seed });
  faults += result.faults.length;
  say(`${result.faults.length === 0 ? '✓' : '✗'} ${phase.backend}, ${phase.name}: ${summaryOf(result)}`);
  for (const fault of result.faults) say(`    ${fault}`);
  // A failed run keeps what it did, to look at.
  if (result.faults.length === 0) rmSync(folder, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;

function summaryOf({ commands, outcomes, kills }: PhaseResult): string {
  const ends = Object.entries(outcomes).map(([outcome, times]) => `${times} ${outcome}`);
  const killed = Object.entries(kills).flatMap(([who, times]) => (times === 0 ? [] : [`${times} of ${who}`]));
  return `${commands} commands (${ends.join(', ')}); ${killed.length === 0 ? 'no kills' : `kills: ${killed.join(', ')}`}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
