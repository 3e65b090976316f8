import { expect, test } from 'vitest';
import { readReport } from './init.ts';

test.for([
  ['', { kind: 'not-ready', output: '' }],
  ['bash: no such file\n', { kind: 'not-ready', output: 'bash: no such file' }],
  ['read', { kind: 'not-ready', output: 'read' }],
  ['ready\n', { kind: 'waiting', output: '' }],
  ['ready\ncannot limit -u\n', { kind: 'waiting', output: 'cannot limit -u' }],
  ['ready\nbegun\n', { kind: 'running' }],
  ['ready\nbegun\nstatus 1', { kind: 'running' }],
  ['ready\nbegun\nstatus 0\n', { kind: 'exited', exitCode: 0 }],
  ['ready\nbegun\nstatus 137\n', { kind: 'exited', exitCode: 137 }],
  ['ready\nwarning\nbegun\nstatus 137\n', { kind: 'exited', exitCode: 137 }],
  ['ready\nbegun\nbash: line 1: 7 Killed  "$@"\nstatus 137\n', { kind: 'signalled', signal: 'SIGKILL' }],
] as const)('readReport() parses %j', ([text, report]) => {
  expect(readReport(text)).toMatchObject(report);
});
