import type { LimitHit } from '@signalbox/core';
import { aShellRequest } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { type LimitFacts, limitsReached } from './limits-reached.ts';

const reached = (facts: Partial<LimitFacts>): readonly LimitHit[] =>
  limitsReached({
    limits: {
      ...aShellRequest('').limits,
      memoryBytes: 2 ** 29,
      cpuPercent: 50,
      writtenBytes: 2 ** 20,
      writtenFiles: 9,
    },
    ended: { kind: 'exited', exitCode: 0 },
    stderr: '',
    durationMs: 1000,
    throttledMs: 0,
    refusedProcesses: null,
    isFull: null,
    usage: { cpuMs: 1, peakMemoryBytes: 540 * 2 ** 20, writtenBytes: 2 ** 20 },
    ...facts,
  });

test('a command within its limits has no hits', () => {
  expect(reached({ throttledMs: 50, refusedProcesses: 0, isFull: false, stderr: 'warning: slow' })).toEqual(
    [],
  );
});

test.each<[string, Partial<LimitFacts>, LimitHit]>([
  [
    'memory',
    { ended: { kind: 'limited', limit: 'max_memory_mb' } },
    { limit: 'max_memory_mb', allowed: 512, used: 540 },
  ],
  ['processors', { throttledMs: 500 }, { limit: 'max_cpu_percent', allowed: 50, used: null }],
  ['processes, counted', { refusedProcesses: 3 }, { limit: 'max_processes', allowed: 256, used: null }],
  [
    'processes, by the message of bash',
    { stderr: 'bash: fork: retry: Resource temporarily unavailable' },
    { limit: 'max_processes', allowed: 256, used: null },
  ],
  [
    'one file',
    { ended: { kind: 'exited', exitCode: 153 } },
    { limit: 'max_file_mb', allowed: 1024, used: null },
  ],
  [
    'one file, by name',
    { stderr: 'dd: error writing: File too large' },
    { limit: 'max_file_mb', allowed: 1024, used: null },
  ],
  [
    'open files',
    { stderr: "Error: EMFILE: too many open files, open 'x'" },
    { limit: 'max_open_files', allowed: 256, used: null },
  ],
  ['space', { isFull: true }, { limit: 'max_written_mb', allowed: 1, used: 1 }],
  [
    'names, with space left',
    { isFull: true, usage: { cpuMs: 1, peakMemoryBytes: 1, writtenBytes: 2 ** 16 } },
    { limit: 'max_written_files', allowed: 9, used: null },
  ],
])('a command at its limit of %s reports the limit, the allowed and the used amount', (_, facts, hit) => {
  expect(reached(facts)).toEqual([hit]);
});

test('the limit that a command was killed for comes first', () => {
  const killed = { kind: 'limited', limit: 'max_written_files' } as const;
  expect(reached({ ended: killed, throttledMs: 900 }).map(({ limit }) => limit)).toEqual([
    'max_written_files',
    'max_cpu_percent',
  ]);
});
