import type { Execution, LimitHit, LimitKey, ResourceUsage } from '@signalbox/core';
import type { BoundedLimits } from './bounded-limits.ts';

/** Facts about a command that has ended. */
export type LimitFacts = {
  readonly limits: BoundedLimits;
  readonly ended: Execution['ended'];
  /** Its standard error; some limits show only in messages of programs. */
  readonly stderr: string;
  readonly durationMs: number;
  /** How long it was throttled. */
  readonly throttledMs: number;
  /** How often a fork was rejected; null if not counted. */
  readonly refusedProcesses: number | null;
  /** Whether its space for written files is full; null without such a space. */
  readonly isFull: boolean | null;
  readonly usage: ResourceUsage;
};

const MIB = 1024 ** 2;
/** A smaller share of its time is not worth reporting. */
const NOTABLE = 0.1;
/** `128 + SIGXFSZ`, the exit code of a shell whose program wrote too large a file. */
const KILLED_FOR_FILE_SIZE = 153;

/** Lists the limits a command reached. The one it was killed for comes first. */
export function limitsReached(facts: LimitFacts): readonly LimitHit[] {
  const { limits, stderr, usage, ended } = facts;
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
      ['max_open_files', /Too many open files|EMFILE/.test(stderr), limits.openFiles, null],
    ] satisfies readonly [LimitKey, boolean, number | null, number | null][]
  ).flatMap(([limit, isHit, allowed, used]) =>
    allowed !== null && (isHit || limit === killedFor) ? [{ limit, allowed, used }] : [],
  );
  return hits.toSorted((a, b) => Number(b.limit === killedFor) - Number(a.limit === killedFor));
}

function isProcesses({ refusedProcesses, stderr }: LimitFacts): boolean {
  return (refusedProcesses ?? 0) > 0 || /fork: |[Cc]annot fork|Resource temporarily unavailable/.test(stderr);
}

function isFileSize({ ended, stderr }: LimitFacts): boolean {
  return (
    (ended.kind === 'exited' && ended.exitCode === KILLED_FOR_FILE_SIZE) ||
    /File size limit exceeded|File too large|EFBIG/.test(stderr)
  );
}

function isSpace({ isFull, stderr }: LimitFacts): boolean {
  return isFull === true || /No space left on device|ENOSPC/.test(stderr);
}

/** An overlay can run out of names long before bytes, or vice versa. */
function isNames({ isFull, usage: { writtenBytes }, limits }: LimitFacts): boolean {
  return isFull === true && (writtenBytes ?? Infinity) < 0.9 * (limits.writtenBytes ?? 0);
}

function mebibytes(bytes: number | null | undefined): number | null {
  return bytes == null ? null : Math.round(bytes / MIB);
}
