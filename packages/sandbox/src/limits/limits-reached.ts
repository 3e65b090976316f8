import type { Execution, LimitHit, LimitKey, ResourceUsage } from '@signalbox/core';
import type { BoundedLimits } from './bounded-limits.ts';

/** What is known of a command that has ended. */
export type LimitFacts = {
  readonly limits: BoundedLimits;
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
  readonly usage: ResourceUsage;
};

const MIB = 1024 ** 2;
/** Below this share of its time a command was hardly held up. */
const NOTABLE = 0.1;
/** `128 + SIGXFSZ`, which a shell answers of a program that wrote too large a file. */
const KILLED_FOR_FILE_SIZE = 153;

/** Limits that a command ran into; the one that it was killed for comes first. */
export function limitsReached(facts: LimitFacts): readonly LimitHit[] {
  const { limits, said, usage, ended } = facts;
  const killedFor = ended.kind === 'limited' ? ended.limit : null;
  const hits = (
    [
      ['max_memory_mb', false, mebibytes(limits.memoryBytes), mebibytes(usage.peakMemoryBytes)],
      ['max_cpu_percent', facts.throttledMs > facts.durationMs * NOTABLE, limits.cpuPercent, null],
      ['max_processes', isProcesses(facts), limits.processes, null],
      ['max_file_mb', isFileSize(facts), mebibytes(limits.fileBytes), null],
      [
        'max_written_mb',
        isSpace(facts) && !isNames(facts),
        mebibytes(limits.writtenBytes),
        mebibytes(usage.writtenBytes),
      ],
      ['max_written_files', isNames(facts), limits.writtenFiles ?? null, null],
      ['max_open_files', /Too many open files|EMFILE/.test(said), limits.openFiles, null],
    ] satisfies readonly [LimitKey, boolean, number | null, number | null][]
  ).flatMap(([limit, isHit, allowed, used]) =>
    allowed !== null && (isHit || limit === killedFor) ? [{ limit, allowed, used }] : [],
  );
  return hits.toSorted((a, b) => Number(b.limit === killedFor) - Number(a.limit === killedFor));
}

function isProcesses({ refusedProcesses, said }: LimitFacts): boolean {
  return (refusedProcesses ?? 0) > 0 || /fork: |[Cc]annot fork|Resource temporarily unavailable/.test(said);
}

function isFileSize({ ended, said }: LimitFacts): boolean {
  return (
    (ended.kind === 'exited' && ended.exitCode === KILLED_FOR_FILE_SIZE) ||
    /File size limit exceeded|File too large|EFBIG/.test(said)
  );
}

function isSpace({ isFull, said }: LimitFacts): boolean {
  return isFull === true || /No space left on device|ENOSPC/.test(said);
}

/** An overlay is full of names long before it is full of bytes, or the other way round. */
function isNames({ isFull, usage: { writtenBytes }, limits }: LimitFacts): boolean {
  return isFull === true && (writtenBytes ?? Infinity) < 0.9 * (limits.writtenBytes ?? 0);
}

function mebibytes(bytes: number | null | undefined): number | null {
  return bytes == null ? null : Math.round(bytes / MIB);
}
