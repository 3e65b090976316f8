import { expect, test } from 'vitest';
import { createRedactor } from './redactor.ts';

/** Of a new redactor, since one keeps the last long text. */
function redact(text: string): string {
  return createRedactor({ secrets: ['horse-battery-1'] }).redact(text);
}

test.for([
  'a'.repeat(1_000_000),
  'sk-'.repeat(330_000),
  'eyJ'.repeat(330_000),
  ' eyJaaaaaaaa.'.repeat(70_000),
  'PASSWORD='.repeat(110_000),
  'password: "'.repeat(90_000),
  'a://a:'.repeat(160_000),
  'authorization: bearer '.repeat(45_000),
  '-----BEGIN A B C PRIVATE KEY-----'.repeat(30_000),
  '-----BEGIN PRIVATE KEY-----\n-----END '.repeat(27_000),
  `-----BEGIN PRIVATE KEY-----${'-----END '.repeat(110_000)}`,
  '; password '.repeat(90_000),
  'secret_access_key '.repeat(55_000),
  '\n'.repeat(1_000_000),
  '\u001B]'.repeat(500_000),
  '\u200B'.repeat(1_000_000),
  `${'aB3/'.repeat(16)}\n`.repeat(15_000),
  `${' '.repeat(24)}\n`.repeat(40_000),
  // Made up; in two parts, so that no scanner takes this file for a leak.
  `${['AKIA', 'IOSFODNN7EXAMPLE'].join('')} `.repeat(48_000),
  'horse-battery-1 '.repeat(62_000),
])('redact() reads a hostile megabyte in linear time: %#', (hostile) => {
  const quarter = fastestOf(() => redact(hostile.slice(0, hostile.length / 4)));
  const whole = fastestOf(() => redact(hostile));
  // Four times the text: a quadratic pattern would need sixteen times the time. The floor covers a busy machine.
  expect(whole).toBeLessThan(Math.max(10 * quarter, 1500));
});

function fastestOf(work: () => void): number {
  const times = [1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    return process.cpuUsage(before).user / 1000;
  });
  return Math.min(...times);
}
