import { spawnSync } from 'node:child_process';
import { expect, inject, test } from 'vitest';

const MAIN = inject('program');

/** Prints the bytes of all files of the program that were loaded. */
const COUNT = `
  process.on('exit', () => {
    const { dirname } = require('node:path');
    const { statSync } = require('node:fs');
    const own = Object.keys(require.cache).filter((file) => dirname(file) === dirname(${JSON.stringify(MAIN)}));
    process.stderr.write(String(own.reduce((sum, file) => sum + statSync(file).size, 0)));
  });
  process.argv.splice(1, 0, ${JSON.stringify(MAIN)});
  require(${JSON.stringify(MAIN)});
`;

test.for([
  ['--version', 16],
  ['--help', 300],
  ['status', 2500],
] as const)('signalbox %s loads less than %i kB of the program', ([argument, kilobytes]) => {
  const argv = ['-e', COUNT, '--', argument];
  const { stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  const bytes = Number(/\d+$/.exec(stderr)?.[0]);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes / 1000).toBeLessThan(kilobytes);
});
