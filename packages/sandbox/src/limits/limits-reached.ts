import type { Execution, ExecutionLimits } from '@signalbox/core';

/** What is known of a command that has ended. */
export type LimitFacts = {
  readonly limits: ExecutionLimits;
  readonly ended: Execution['ended'];
  /** What it printed on standard error: some limits are told by programs alone. */
  readonly said: string;
  readonly durationMs: number;
  /** How long it was held up because it had used its share of the processors. */
  readonly throttledMs: number;
  /** How often it could not start a process; null where nobody counts. */
  readonly refusedProcesses: number | null;
  /** Whether the space for what it writes is full; null where it has no such space. */
  readonly isFull: boolean | null;
};

const MIB = 1024 ** 2;
/** Below this share of its time a command was hardly held up. */
const NOTABLE = 0.1;
/** `128 + SIGXFSZ`, which a shell answers of a program that wrote too large a file. */
const KILLED_FOR_FILE_SIZE = 153;

/** Limits that a command ran into, in words for a model: what the bound is and which setting says so. */
export function limitsReached(facts: LimitFacts): readonly string[] {
  const { limits, said } = facts;
  return [
    isMemory(facts) ? [`${mebibytes(limits.memoryBytes)} of memory (max_memory_mb)`] : [],
    facts.throttledMs > facts.durationMs * NOTABLE
      ? [`${limits.cpuPercent} % of the processors, so it was slowed down (max_cpu_percent)`]
      : [],
    (facts.refusedProcesses ?? 0) > 0 || /fork: |[Cc]annot fork|Resource temporarily unavailable/.test(said)
      ? [`${limits.processes} processes at once (max_processes)`]
      : [],
    isFileSize(facts) ? [`${mebibytes(limits.fileBytes)} in one file (max_file_mb)`] : [],
    isSpace(facts) ? [spaceOf(limits)] : [],
    /Too many open files|EMFILE/.test(said) ? [`${limits.openFiles} open files (max_open_files)`] : [],
  ].flatMap((found) => found.map((bound) => `at most ${bound}`));
}

function isMemory({ ended }: LimitFacts): boolean {
  return ended.kind === 'limited' && ended.limit === 'memory';
}

function isFileSize({ ended, said }: LimitFacts): boolean {
  if (ended.kind === 'limited') return ended.limit === 'file size';
  return (
    (ended.kind === 'exited' && ended.exitCode === KILLED_FOR_FILE_SIZE) ||
    /File size limit exceeded|File too large|EFBIG/.test(said)
  );
}

function isSpace({ ended, isFull, said }: LimitFacts): boolean {
  if (ended.kind === 'limited' && ended.limit.startsWith('written ')) return true;
  return isFull === true || /No space left on device|ENOSPC/.test(said);
}

/** The bounds for all that a command writes. */
export function spaceOf({ writtenBytes, writtenFiles }: ExecutionLimits): string {
  const bounds = [
    writtenBytes === undefined ? 'a part of the memory' : mebibytes(writtenBytes),
    ...(writtenFiles === undefined ? [] : [`${writtenFiles} names`]),
  ];
  return `${bounds.join(' and ')} for all that it writes (max_written_mb, max_written_files), 1024 MiB in its home and each temporary folder`;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
