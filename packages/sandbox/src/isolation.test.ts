import { readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whatIsMissing } from './isolation.ts';

const HELD = [
  'NoNewPrivs:1',
  'Seccomp:2',
  'CapEff:0000000000000000',
  'CapBnd:0000000000000000',
  'root:read-only',
  'etc:read-only',
  'sysctl:read-only',
  'workspace:read-only',
  ...['net', 'pid', 'user', 'ipc', 'uts', 'mnt'].map((name) => `${name}:[1]`),
];

test('whatIsMissing() returns nothing when every measure holds', () => {
  expect(whatIsMissing(HELD.join('\n'))).toEqual([]);
});

test('each measure without an answer is reported as missing', () => {
  const missed = HELD.map((answer) => whatIsMissing(HELD.filter((other) => other !== answer).join('\n')));
  expect(missed.map(({ length }) => length)).toEqual(HELD.map(() => 1));
});

test('a namespace shared with the machine is reported as missing', () => {
  const answers = HELD.map((answer) =>
    answer.startsWith('net:') ? readlinkSync('/proc/self/ns/net') : answer,
  );
  expect(whatIsMissing(answers.join('\n'))).toEqual(['The namespace "net" is shared with the machine']);
});
