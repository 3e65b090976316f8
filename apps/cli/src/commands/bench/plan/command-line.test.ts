import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { askedOptions, BenchArguments } from '../bench-arguments.ts';
import { benchOptions } from './bench-options.ts';
import { commandLineOf } from './command-line.ts';
import { SCENARIOS } from '../../table/scenario-names.ts';

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
  },
  { requiredKeys: [] },
);

/** As the frame splits it: a flag without a value is one that is set. */
function argumentsOf(line: string): Record<string, unknown> {
  const [, , scenario, ...words] = line.split(' ');
  const flags = [...words.join(' ').matchAll(/--([\w-]+)(?: (?!--)(\S+))?/g)];
  return {
    scenario,
    ...Object.fromEntries(flags.map(([, name = '', value]) => [name, value ?? true])),
  };
}

test('the line of a run asks for the same run', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SCENARIOS), fc.nat(), asked, (scenario, seed, more) => {
      const options = benchOptions({ scenario, seed, ...more });
      const args = BenchArguments.parse(argumentsOf(commandLineOf(options)));
      expect(benchOptions(askedOptions(args, () => new Uint8Array(2)))).toEqual(options);
    }),
  );
});

test('the line of a run names what is not as usual alone', () => {
  expect(commandLineOf(benchOptions({ scenario: 'mixed', seed: 3 }))).toBe('signalbox bench mixed --seed 3');
  const onRedis = { backend: 'redis', workers: 4, killRate: 1, hot: 0.2, bare: true } as const;
  expect(commandLineOf(benchOptions({ scenario: 'mixed', seed: 3, ...onRedis }))).toBe(
    'signalbox bench mixed --hot 20% --redis URL --workers 4 --kill-rate 1 --bare --seed 3',
  );
});
