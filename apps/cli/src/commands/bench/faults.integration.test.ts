import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GivenOptions, BenchReport, holds } from '@signalbox/bench';
import { expect, onTestFinished, test } from 'vitest';
import { entry } from '../../program/runtime-entry.ts';
import type { RuntimeEntry } from '../../runtime/contract/runtime.ts';
import { screenText } from '../../testing/screen-text.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { benchView } from './bench-view.ts';
import {
  doingNothing,
  doingTwice,
  forgettingWhatItDid,
  losingACommit,
  through,
} from './testing/broken-runtimes.ts';
import {
  forgetfulScheduler,
  hoardingScheduler,
  slowScheduler,
  unjustScheduler,
} from './testing/broken-schedulers.ts';
import { runTestBench, violatedIn } from './testing/run-test-bench.ts';

const READS = { read: 1, write: 0, shell: 0, git: 0 };
const COMMITS = { read: 0, write: 0, shell: 0, git: 1 };
/** Instead of ten minutes. */
const MAX_WAIT_MS = 1000;

const FAULTS: readonly (readonly [
  says: string,
  violated: readonly string[],
  world: Parameters<typeof runTestBench>[1],
  asked: Omit<GivenOptions, 'seed'>,
])[] = [
  [
    'a scheduler that lets others overtake',
    ['order'],
    { openRuntime: through(unjustScheduler) },
    of('hot-file', 24),
  ],
  [
    'a lease that is kept for ever',
    ['leases'],
    { openRuntime: through(hoardingScheduler) },
    of('mixed', 12, READS),
  ],
  ['a tool that works twice', ['double-starts'], { openRuntime: doingTwice }, of('mixed', 6, READS)],
  ['a result of what was not done', ['results'], { openRuntime: doingNothing }, of('mixed', 6, READS)],
  ['a line that the audit log lost', ['audit'], { openRuntime: forgettingWhatItDid }, of('mixed', 6, READS)],
  ['a commit that git lost', ['history'], { openRuntime: losingACommit }, of('git-storm', 3, COMMITS)],
  [
    'a command that waits too long',
    ['waits'],
    { openRuntime: through(slowScheduler(MAX_WAIT_MS)), maxWaitMs: MAX_WAIT_MS },
    of('disjoint', 6),
  ],
];

function of(scenario: GivenOptions['scenario'], commands: number, mix?: GivenOptions['mix']) {
  return { scenario, commands, ...(mix === undefined ? {} : { mix }) };
}

test.for(FAULTS)('%s is detected, and nothing else is reported', async ([, violated, world, asked]) => {
  const report = await runTestBench(asked, world, { shrinkMs: 0 });
  await forgetFolder(report);
  expect(violatedIn(report)).toEqual(violated);
  expect(holds(report)).toBe(false);
});

test('a scheduler that ignores conflicts is detected, with the shortest schedule that shows it', async () => {
  const report = await runTestBench(
    { scenario: 'hot-file', commands: 30, bare: true, workMs: 5 },
    { openRuntime: through(forgetfulScheduler) },
  );
  expect(violatedIn(report)).toEqual(expect.arrayContaining(['lost-updates', 'overlaps']));
  expect(report.shortest?.invariant).toBe('no update is lost');
  expect(report.shortest?.commands.length).toBe(2);
  expect(existsSync(report.kept ?? '')).toBe(true);
  await forgetFolder(report);
});

/** A process outside the coordinator that resets the hot file to 0 whenever a command has counted it. */
const withIntruder: RuntimeEntry = {
  ...entry,
  async openRuntime(options) {
    const runtime = await entry.openRuntime(options);
    runtime.events.subscribe(({ type }) => {
      if (type === 'command_completed') writeFileSync(join(options.workspace, 'hot/0.txt'), '0\n');
    });
    return runtime;
  },
};

test('a file changed without the coordinator ends a bench with 1, its seed and the shortest schedule', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { signalbox } = createTestTerminal(folder, { entry: withIntruder });
  const argv = ['hot-file', '--bare', '--agents', '3', '--commands', '9', '--seed', '11', '--no-baselines'];
  const ran = await signalbox('bench', ...argv, '--json');
  const report = BenchReport.parse(JSON.parse(ran.out));
  await forgetFolder(report);

  expect(ran.exit).toBe(1);
  expect(report.options.seed).toBe(11);
  expect(violatedIn(report)).toEqual(['lost-updates']);
  // One command is enough: its count is not in the file.
  expect(report.shortest?.commands).toEqual([expect.stringMatching(/^#\d agent \d: write hot\/0\.txt/)]);
  const shown = screenText(benchView(report, { width: 80, now: 0, utcOffsetMs: 0 }), 80);
  expect(shown).toContain('seed 11');
  expect(shown).toContain('The shortest schedule found');
  expect(shown).toContain('Again: signalbox bench hot-file --agents 3 --commands 9 --bare --seed 11');
  expect(shown).toContain(report.shortest?.commands[0]);
});

async function forgetFolder({ kept }: BenchReport): Promise<void> {
  if (kept !== null) await rm(kept, { recursive: true });
}
