import { expect, test } from 'vitest';
import { benchOptions } from './bench-options.ts';
import { commandLineOf } from './command-line.ts';

test('the command line of a run names only what differs from the defaults', () => {
  expect(commandLineOf(benchOptions({ scenario: 'mixed', seed: 3 }))).toBe('signalbox bench mixed --seed 3');
  const onRedis = { backend: 'redis', workers: 4, killRate: 1, hot: 0.2, bare: true } as const;
  expect(commandLineOf(benchOptions({ scenario: 'mixed', seed: 3, ...onRedis }))).toBe(
    'signalbox bench mixed --hot 20% --redis URL --workers 4 --kill-rate 1 --bare --seed 3',
  );
});
