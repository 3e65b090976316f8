import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchOptions, commandLineOf } from '@signalbox/bench';
import { SCENARIOS } from '@signalbox/bench/scenario-names';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createTestTerminal } from '../../testing/test-context.ts';
import { askedOptions, BenchArguments } from './bench-arguments.ts';

const REFUSED: readonly (readonly [argv: string, says: string])[] = [
  ['--agents 0', '--agents: must be at least 1'],
  ['--places 2000', '--places: must be at most 1000'],
  ['--rate 0', '--rate: must be more than 0'],
  ['--seed 5000000000', '--seed: must be at most 4294967295'],
  ['--work 2m', '--work: must be at most 1m'],
  ['--work long', '--work: must be 0 or a length of time such as 20ms'],
  ['--hot 200%', '--hot: must be at most 100%'],
  ['--workers 2', '--redis URL allows several coordinators'],
  ['--redis redis://127.0.0.1:1 --workers 2 --door mcp', 'whichever of them lives is called over HTTP'],
  ['--files 200000', '--files: must be at most 100000'],
  ['--save nowhere/a.json', 'there is no folder'],
  ['--save .', 'a folder stands there'],
  ['--report nowhere/a.html', 'there is no folder'],
];

test.for(REFUSED)('bench %s is rejected before anything runs: %s', async ([argv, says]) => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { signalbox } = createTestTerminal(folder);
  const { exit, out, talk } = await signalbox('bench', 'mixed', ...argv.split(' '));
  expect({ exit, out }).toEqual({ exit: 2, out: '' });
  expect(talk.replaceAll(/\s+/g, ' ')).toContain(says);
});

const weight = fc.nat(100);
const asked = fc.record(
  {
    agents: fc.integer({ min: 1, max: 500 }),
    files: fc.integer({ min: 1, max: 500 }),
    hot: fc.nat(1000).map((share) => share / 1000),
    mix: fc.record({ read: fc.integer({ min: 1, max: 100 }), write: weight, shell: weight, git: weight }),
    workMs: fc.nat(60_000),
    places: fc.integer({ min: 1, max: 1000 }),
    durationMs: fc.integer({ min: 1, max: 999_999_999 }),
    commands: fc.integer({ min: 1, max: 1_000_000 }),
    rate: fc.integer({ min: 1, max: 4000 }).map((quarters) => quarters / 4),
    door: fc.constantFrom('in-process' as const, 'http' as const, 'mcp' as const),
    bare: fc.constant(true),
    monitored: fc.constant(true),
  },
  { requiredKeys: [] },
);

/** As the program parses it: a flag without a value is true. */
function argumentsOf(line: string): Record<string, unknown> {
  const [, , scenario, ...words] = line.split(' ');
  const flags = [...words.join(' ').matchAll(/--([\w-]+)(?: (?!--)(\S+))?/g)];
  return {
    scenario,
    ...Object.fromEntries(flags.map(([, name = '', value]) => [name, value ?? true])),
  };
}

test('the printed command line of a run requests the same run', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SCENARIOS), fc.nat(), asked, (scenario, seed, more) => {
      const options = benchOptions({ scenario, seed, ...more });
      const args = BenchArguments.parse(argumentsOf(commandLineOf(options)));
      expect(benchOptions(askedOptions(args, () => new Uint8Array(2)))).toEqual(options);
    }),
  );
});
