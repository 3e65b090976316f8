import type { Execution, Failure } from '@signalbox/core';
import { expect, test } from 'vitest';
import { anExecution } from '../../testing/coordinator-harness.ts';
import {
  denial,
  type Interruption,
  outcomeOfAnswer,
  outcomeOfError,
  outcomeOfInterruption,
} from './outcome-of.ts';

const CANCEL: Interruption = { kind: 'cancelled', by: 'ana', reason: 'enough' };
const OFFLINE = { loopback: 0, away: 2 };
const OFFLINE_LINES = [
  'this ran without network: it tried to reach other hosts and was blocked (2 connections)',
  expect.stringContaining('signalbox network'),
];
const HIT = { limit: 'max_processes', allowed: 256, used: null } as const;

function failed(failure: Omit<Failure, 'visibility'>) {
  return { kind: 'failed', failure: { ...failure, visibility: 'visible' } };
}

test.each<[string, Partial<Execution>, unknown]>([
  [
    'an exit code',
    { ended: { kind: 'exited', exitCode: 3 } },
    failed({
      code: 'exit-code',
      category: 'PermanentFailure',
      message: 'Exit code 3',
      suggestion: 'Read its output below',
    }),
  ],
  [
    'an exit code whose changes were discarded, at a limit, without a network',
    {
      ended: { kind: 'exited', exitCode: 3 },
      rolledBack: true,
      limitsReached: [HIT],
      connectionAttempts: OFFLINE,
    },
    failed({
      code: 'exit-code',
      category: 'PermanentFailure',
      message: 'Exit code 3; its file changes were discarded',
      suggestion: 'Read its output below',
      why: ['limit reached: 256 processes at once (max_processes)', ...OFFLINE_LINES],
    }),
  ],
  [
    'an exit code that is the answer of its program',
    { ended: { kind: 'exited', exitCode: 1 }, answered: true },
    { kind: 'completed' },
  ],
  [
    'a signal',
    { ended: { kind: 'signalled', signal: 'SIGSEGV' } },
    failed({ code: 'signalled', category: 'PermanentFailure', message: 'Killed by signal SIGSEGV' }),
  ],
  [
    'a signal whose changes were discarded, without a network',
    {
      ended: { kind: 'signalled', signal: 'SIGSEGV' },
      rolledBack: true,
      connectionAttempts: OFFLINE,
    },
    failed({
      code: 'signalled',
      category: 'PermanentFailure',
      message: 'Killed by signal SIGSEGV; its file changes were discarded',
      suggestion: 'Its files may be incomplete; tools.shell.keep_on_signal keeps them',
      why: OFFLINE_LINES,
    }),
  ],
  [
    'a limit among others that it reached',
    {
      ended: { kind: 'limited', limit: 'max_memory_mb' },
      limitsReached: [HIT, { limit: 'max_memory_mb', allowed: 512, used: 540 }],
    },
    failed({
      code: 'limit-reached',
      category: 'PermanentFailure',
      message: 'Killed: used 540 MiB of memory (limit 512 MiB)',
      suggestion: 'Do less in one command',
    }),
  ],
  [
    'a conflict with others',
    { ended: { kind: 'conflict', exitCode: 0, conflicts: [], why: ['a.txt changed'] } },
    {
      kind: 'conflict',
      failure: {
        code: 'commit-conflict',
        category: 'InvalidParameters',
        message: 'Others changed the same files while the command ran; none of its changes were applied',
        suggestion: 'Read those files again, then run the command again',
        why: ['a.txt changed'],
        visibility: 'visible',
      },
    },
  ],
  [
    'a conflict with others at each of its runs',
    { ended: { kind: 'conflict', exitCode: 0, conflicts: [], why: ['a.txt changed'] }, reruns: 2 },
    {
      kind: 'conflict',
      failure: {
        code: 'commit-conflict',
        category: 'InvalidParameters',
        message:
          'Others changed the same files while the command ran; none of its changes were applied, though it ran 3 times',
        suggestion:
          'Others keep changing these files: wait until they have finished, then run the command again',
        why: ['a.txt changed'],
        visibility: 'visible',
      },
    },
  ],
  [
    'forbidden changes',
    { ended: { kind: 'refused', exitCode: 0, why: ['it wrote .git/config'] } },
    failed({
      code: 'commit-refused',
      category: 'PolicyBlocked',
      message: 'The command made forbidden changes; none of its changes were applied',
      suggestion: 'Do it without writing there',
      why: ['it wrote .git/config'],
    }),
  ],
  [
    'changes that are too large to keep',
    { ended: { kind: 'refused', exitCode: 0, code: 'snapshot_failed', why: ['9 GiB'] } },
    failed({
      code: 'snapshot_failed',
      category: 'PolicyBlocked',
      message: 'The command replaced too much to keep a copy for undo; none of its changes were applied',
      suggestion: 'Do it without writing there',
      why: ['9 GiB'],
    }),
  ],
  [
    'forbidden files moved to the quarantine',
    { ended: { kind: 'refused', exitCode: 0, code: 'quarantined', why: ['.envrc'] } },
    failed({
      code: 'quarantined',
      category: 'PolicyBlocked',
      message:
        'The command wrote files that programs outside the sandbox run or read as settings: those were reverted, its other changes stay',
      suggestion: 'Write such a file with a call that names it, so that the user is asked',
      why: ['.envrc'],
    }),
  ],
  [
    'a failed rollback',
    { ended: { kind: 'rollback_failed', exitCode: 0, why: ['a.txt is half written'] } },
    failed({
      code: 'rollback_failed',
      category: 'PermanentFailure',
      message: 'Some changes of the command were applied and could not be rolled back',
      suggestion: 'Stop, and tell the user to check the workspace and to start Signalbox again',
      why: ['a.txt is half written'],
    }),
  ],
  [
    'its time over, without a network',
    { ended: { kind: 'timed_out', timeoutMs: 5000 }, connectionAttempts: OFFLINE },
    {
      kind: 'timed_out',
      failure: {
        code: 'timeout',
        category: 'Timeout',
        message: 'Killed: still running after 5s (limit 5s)',
        suggestion: 'Do less in one command, or call it with a longer timeout',
        why: OFFLINE_LINES,
        visibility: 'visible',
      },
    },
  ],
  [
    'stopped by its executor',
    { ended: { kind: 'stopped', why: 'the worker is shutting down' } },
    outcomeOfInterruption({
      kind: 'cancelled',
      by: 'signalbox',
      reason: 'the worker is shutting down',
    }),
  ],
  [
    'stopped for an unknown reason',
    { ended: { kind: 'stopped' } },
    outcomeOfInterruption({ kind: 'cancelled', by: 'signalbox', reason: 'it was stopped' }),
  ],
])('a model reads how its command ended and what to do next: %s (S001-94)', (_name, execution, expected) => {
  expect(outcomeOfAnswer(anExecution(execution), undefined)).toEqual(expected);
});

test('a command that ended by itself keeps its outcome, although a cancel came at the same time', () => {
  const exited = anExecution({ ended: { kind: 'exited', exitCode: 0 } });
  expect(outcomeOfAnswer(exited, CANCEL)).toEqual({ kind: 'completed' });
  expect(outcomeOfAnswer(anExecution({ ended: { kind: 'stopped', why: 'x' } }), CANCEL)).toEqual({
    kind: 'cancelled',
    failure: {
      code: 'cancelled',
      category: 'Cancelled',
      message: 'Cancelled by ana: enough',
      visibility: 'visible',
    },
  });
});

test('a command of unknown outcome is never advised to run again', () => {
  expect(outcomeOfInterruption({ kind: 'lease-lost' })).toEqual({
    kind: 'lost',
    failure: {
      code: 'lost',
      category: 'PermanentFailure',
      message: 'Outcome unknown: it lost its lease while it ran and was stopped',
      suggestion: 'Check the files first; Signalbox never re-runs a lost command',
      visibility: 'visible',
    },
  });
});

test('the setting of a limit is named whichever way the time was over', () => {
  const setting = { timeout_ms: 'sandbox.resource_limits.timeout_ms' };
  const late: Interruption = { kind: 'timed_out', timeoutMs: 5000 };
  const named = { failure: { message: expect.stringContaining(`limit 5s, ${setting.timeout_ms}`) } };
  const ended = { kind: 'timed_out', timeoutMs: 5000 } as const;
  expect(outcomeOfAnswer(anExecution({ ended }), undefined, setting)).toMatchObject(named);
  expect(outcomeOfAnswer(anExecution({ ended: { kind: 'stopped' } }), late, setting)).toMatchObject(named);
  expect(outcomeOfError(new Error('stopped'), late, setting)).toMatchObject(named);
});

test('a denial carries the ruling’s failure and its kind', () => {
  const failure: Failure = {
    code: 'rule',
    category: 'PolicyBlocked',
    message: 'No',
    visibility: 'visible',
  };
  expect(denial({ outcome: 'blocked', failure })).toEqual({ kind: 'blocked', failure });
});
