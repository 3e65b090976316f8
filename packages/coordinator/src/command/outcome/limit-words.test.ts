import { defaultSettings, type LimitHit, type ProviderId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { limitsFor } from '../../judging/limits-for.ts';
import { anExecution } from '../../testing/coordinator-harness.ts';
import { outcomeOfAnswer } from './outcome-of.ts';

const { limitSettings: SETTINGS } = limitsFor(defaultSettings(), {
  tool: { name: 'bash', aliases: [] },
  provider: 'openai' as ProviderId,
  trust: 'provisional',
  timeoutMs: { call: undefined, tool: 600_000 },
});

function failureOf(...given: Parameters<typeof outcomeOfAnswer>) {
  const outcome = outcomeOfAnswer(...given);
  if (outcome.kind === 'completed') throw new Error('it completed');
  return outcome.failure;
}

test.each<[LimitHit, string, string]>([
  [
    { limit: 'max_memory_mb', allowed: 512, used: 540 },
    'Killed: used 540 MiB of memory (limit 512 MiB, sandbox.resource_limits.max_memory_mb)',
    'signalbox config set sandbox.resource_limits.max_memory_mb 1080',
  ],
  [
    { limit: 'max_memory_mb', allowed: 512, used: null },
    'Killed: used more than 512 MiB of memory (limit 512 MiB, sandbox.resource_limits.max_memory_mb)',
    'signalbox config set sandbox.resource_limits.max_memory_mb 1024',
  ],
  [
    { limit: 'max_file_mb', allowed: 1024, used: null },
    'Killed: wrote more than 1024 MiB to one file (limit 1024 MiB, sandbox.resource_limits.max_file_mb)',
    'signalbox config set sandbox.resource_limits.max_file_mb 2048',
  ],
  [
    { limit: 'max_written_mb', allowed: 100, used: 120 },
    'Killed: wrote 120 MiB (limit 100 MiB, sandbox.resource_limits.max_written_mb)',
    'signalbox config set sandbox.resource_limits.max_written_mb 240',
  ],
  [
    { limit: 'max_written_files', allowed: 9, used: null },
    'Killed: made more than 9 files (limit 9 files, sandbox.resource_limits.max_written_files)',
    'signalbox config set sandbox.resource_limits.max_written_files 18',
  ],
])('a command killed for a limit: used, allowed, setting, next step (U-B2): %o', (hit, message, next) => {
  const ended = { kind: 'limited', limit: hit.limit } as const;
  const failure = failureOf(anExecution({ ended, limitsReached: [hit] }), undefined, SETTINGS);
  expect(failure.message).toBe(message);
  expect(failure.suggestion).toBe(`Do less in one command, or have a person raise the limit:  ${next}`);
});

test('a command that took too long: the limit, its setting and the next step', () => {
  const late = anExecution({ ended: { kind: 'timed_out', timeoutMs: 300_000 } });
  const failure = failureOf(late, undefined, SETTINGS);
  expect(failure.message).toBe(
    'Killed: still running after 5m (limit 5m, sandbox.resource_limits.timeout_ms)',
  );
  expect(failure.suggestion).toContain('signalbox config set sandbox.resource_limits.timeout_ms 10m');
  const asked = failureOf(late, undefined, { ...SETTINGS, timeout_ms: null });
  expect(asked.message).toBe('Killed: still running after 5m (limit 5m, as the call asked)');
  expect(asked.suggestion).toBe('Do less in one command, or call it with a longer timeout');
});

test('a command that fails at a limit names it with the next step', () => {
  const hit = { limit: 'max_processes', allowed: 256, used: null } as const;
  const ended = { kind: 'exited', exitCode: 1 } as const;
  expect(failureOf(anExecution({ ended, limitsReached: [hit] }), undefined, SETTINGS)).toMatchObject({
    message: 'Exit code 1',
    why: ['limit reached: 256 processes at once (sandbox.resource_limits.max_processes)'],
    suggestion:
      'Do less in one command, or have a person raise the limit:  signalbox config set sandbox.resource_limits.max_processes 512',
  });
});
