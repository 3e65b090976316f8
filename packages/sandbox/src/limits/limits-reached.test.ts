import { aShellRequest } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { type LimitFacts, limitsReached } from './limits-reached.ts';

const reached = (facts: Partial<LimitFacts>): readonly string[] =>
  limitsReached({
    limits: { ...aShellRequest('').limits, cpuPercent: 50, writtenBytes: 2 ** 20, writtenFiles: 9 },
    ended: { kind: 'exited', exitCode: 0 },
    said: '',
    durationMs: 1000,
    throttledMs: 0,
    refusedProcesses: null,
    isFull: null,
    ...facts,
  });

test('a command that ran into nothing is told nothing', () => {
  expect(reached({ throttledMs: 50, refusedProcesses: 0, isFull: false, said: 'warning: slow' })).toEqual([]);
});

test.each<[string, Partial<LimitFacts>, string]>([
  ['memory', { ended: { kind: 'limited', limit: 'memory' } }, 'at most 512 MiB of memory (max_memory_mb)'],
  [
    'processors',
    { throttledMs: 500 },
    'at most 50 % of the processors, so it was slowed down (max_cpu_percent)',
  ],
  ['processes, counted', { refusedProcesses: 3 }, 'at most 256 processes at once (max_processes)'],
  [
    'processes, by what bash says',
    { said: 'bash: fork: retry: Resource temporarily unavailable' },
    'at most 256 processes at once (max_processes)',
  ],
  ['one file', { ended: { kind: 'exited', exitCode: 153 } }, 'at most 1024 MiB in one file (max_file_mb)'],
  [
    'one file, by name',
    { said: 'dd: error writing: File too large' },
    'at most 1024 MiB in one file (max_file_mb)',
  ],
  [
    'open files',
    { said: "Error: EMFILE: too many open files, open 'x'" },
    'at most 256 open files (max_open_files)',
  ],
  [
    'space',
    { isFull: true },
    'at most 1 MiB and 9 names for all that it writes (max_written_mb, max_written_files), 1024 MiB in its home and each temporary folder',
  ],
])('a command that hits its limit of %s is told which and how much', (_, facts, sentence) => {
  expect(reached(facts)).toEqual([sentence]);
});
