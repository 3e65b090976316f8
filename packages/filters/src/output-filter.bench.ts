import { defaultSettings, ProviderId } from '@signalbox/core';
import { test } from 'vitest';
import { createOutputFilter } from './create-output-filter.ts';
import { compileForTests, recordedLog } from './testing/recorded-log.ts';

/** As much as a stream stores. */
const MAX_BYTES = 102_400;

const { filter } = createOutputFilter({
  settings: defaultSettings().filters,
  compileRegex: compileForTests,
});
const provider = ProviderId.parse('openai');

test.for([
  ['pytest-v', 'pytest', '-v'],
  ['node-test', 'npm', 'test'],
  ['cargo-test', 'cargo', 'test'],
  ['npm-http', 'npm', 'install'],
])('100 KB of output stay under 2 ms: %s', async ([name = '', ...words], { bench }) => {
  const log = recordedLog(name);
  // From bytes, as a stream is: a slice of a repeated text is slower to read.
  const stdout = Buffer.from(log.repeat(Math.ceil(MAX_BYTES / log.length)).slice(0, MAX_BYTES)).toString();
  await bench(name, () => {
    filter({ pipes: [[[words]]], provider, stdout, stderr: '' });
  }).run();
});
