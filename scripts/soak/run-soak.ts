// Runs the load tester for a long time on both backends, and kills coordinators, workers and Redis meanwhile.
//
//   npm run soak -- [--minutes 60] [--seed N] [--part 1…4]
//
// Prints a line for each part, or that one; exits with 1 if anything was lost, doubled, shown wrongly or left behind, or memory grew.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PHASES } from './phases.ts';
import { type SoakResult, runPhase } from './run-phase.ts';

const BUILD = fileURLToPath(new URL('../build-program.mjs', import.meta.url));
/** A phase must be longer than the time between two kills. */
const LEAST_MINUTES = 1;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string' },
    part: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 2 ** 16);
const phases = values.part === undefined ? PHASES : PHASES.filter((_, n) => String(n + 1) === values.part);
if (!(minutes >= LEAST_MINUTES) || !Number.isInteger(seed) || seed < 0 || phases.length === 0) {
  process.stderr.write(
    `Cannot soak: --minutes is a number from ${LEAST_MINUTES}, --seed a whole one, --part one from 1 to ${PHASES.length}\n` +
      '  npm run soak -- --minutes 10\n',
  );
  process.exit(2);
}
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());

const program = execFileSync(process.execPath, [BUILD], { stdio: ['ignore', 'pipe', 'inherit'] })
  .toString()
  .trim();
say(`${minutes} minutes, seed ${seed}`);
let faults = 0;
for (const phase of phases) {
  if (interrupted.signal.aborted) break;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-soak-')));
  const seconds = Math.round((minutes * 60 * phase.share) / 100);
  const result = await runPhase(phase, { program, folder, seconds, seed, signal: interrupted.signal });
  faults += result.faults.length;
  say(`${result.faults.length === 0 ? '✓' : '✗'} ${phase.backend}, ${phase.name}: ${summaryOf(result)}`);
  for (const fault of result.faults) say(`    ${fault}`);
  // A failed run keeps what it did, to look at.
  if (result.faults.length === 0) rmSync(folder, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;

function summaryOf({ commands, outcomes, kills }: SoakResult): string {
  const ends = Object.entries(outcomes).map(([outcome, times]) => `${times} ${outcome}`);
  const killed = Object.entries(kills).flatMap(([who, times]) => (times === 0 ? [] : [`${times} of ${who}`]));
  return `${commands} commands (${ends.join(', ')}); ${killed.length === 0 ? 'no kills' : `kills: ${killed.join(', ')}`}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
