import { defaultSettings, ProviderId } from '@signalbox/core';
import { bench, describe } from 'vitest';
import { createOutputFilter } from './create-output-filter.ts';
import { compileForTests, recordedLog } from './testing/recorded-log.ts';

/** As much as a stream stores. Bound: 2 ms. */
const MAX_BYTES = 102_400;

const { filter } = createOutputFilter({
  settings: defaultSettings().filters,
  compileRegex: compileForTests,
});
const provider = ProviderId.parse('openai');

describe('100 KB of output', () => {
  for (const [name, ...words] of [
    ['pytest-v', 'pytest', '-v'],
    ['node-test', 'npm', 'test'],
    ['cargo-test', 'cargo', 'test'],
    ['git-diff', 'git', 'diff'],
  ] as const) {
    const log = recordedLog(name);
    const stdout = log.repeat(Math.ceil(MAX_BYTES / log.length)).slice(0, MAX_BYTES);
    bench(name, () => {
      filter({ pipes: [[[words]]], provider, stdout, stderr: '' });
    });
  }
});
