import { expect, test } from 'vitest';
import { readReport } from './keeper.ts';

test.for([
  ['', { kind: 'not-started', said: '' }],
  ['bash: cannot limit -u\n', { kind: 'not-started', said: 'bash: cannot limit -u' }],
  ['read', { kind: 'not-started', said: 'read' }],
  ['ready\n', { kind: 'running' }],
  ['ready\nstatus 1', { kind: 'running' }],
  ['ready\nstatus 0\n', { kind: 'exited', exitCode: 0 }],
  ['ready\nstatus 137\n', { kind: 'exited', exitCode: 137 }],
  ['ready\nbash: line 1: 7 Killed  "$@"\nstatus 137\n', { kind: 'signalled', signal: 'SIGKILL' }],
] as const)('the report %j is read as what it says', ([text, report]) => {
  expect(readReport(text)).toMatchObject(report);
});
