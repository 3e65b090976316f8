import * as z from 'zod';
import { ContentHash, FileTouch } from '../files/file-touch.ts';
import { NetworkUse } from '../network/network-use.ts';

/** The stored part of one output stream. */
export const StoredOutput = z
  .strictObject({
    /**
     * At most 102,400 bytes of UTF-8: the head and the tail, with a line between them that counts what was left out.
     */
    text: z.string(),
    /** Bytes printed in total. */
    totalBytes: z.int().min(0),
    truncated: z.boolean(),
    /** File with the full text, when it was truncated and the spill's own bound (128 MiB) allowed. */
    spillFile: z.string().optional(),
  })
  .readonly();
export type StoredOutput = z.infer<typeof StoredOutput>;

export const EMPTY_OUTPUT: StoredOutput = { text: '', totalBytes: 0, truncated: false };

const Strength = z.enum(['enforced', 'sampled', 'off']);
const measure = z.strictObject({ strength: Strength, why: z.string().optional() }).readonly();

/** How a command was confined, measure by measure, with the reason where a measure is not enforced. */
export const Isolation = z
  .strictObject({
    /** `bind`: bubblewrap on the workspace itself. `none`: an operator switched confinement off. */
    layer: z.enum(['overlay', 'bind', 'container', 'macos', 'none']),
    /** The program that confines, with its version; absent when none does. */
    backend: z.string().optional(),
    fs: measure,
    net: measure,
    pid: measure,
    syscalls: measure,
    limits: z.strictObject({ cpu: measure, memory: measure, processes: measure, disk: measure }).readonly(),
    tracking: measure,
    /**
     * Absolute folders that are empty at a command's start, private to it and removed with it: `/tmp`. Absent: none.
     */
    ownFolders: z.array(z.string()).readonly().optional(),
  })
  .readonly();
export type Isolation = z.infer<typeof Isolation>;

/** For the whole process tree; null when it could not be measured. */
export const ResourceUsage = z
  .strictObject({
    cpuMs: z.number().nullable(),
    peakMemoryBytes: z.number().nullable(),
    /** Of files in the workspace, the home and temporary folders; absent or null when it is not counted. */
    writtenBytes: z.number().nullable().optional(),
  })
  .readonly();
export type ResourceUsage = z.infer<typeof ResourceUsage>;

/** Connection attempts without a listener, as the kernel counted them. */
const ConnectionAttempts = z
  .strictObject({
    /** To its own loopback, where the machine's services are unreachable. */
    loopback: z.int().min(0),
    /** To any other address. */
    away: z.int().min(0),
  })
  .readonly();

/** A file that changed under a transaction: hashes of both versions, null where one is absent or not a file. */
export const CommitConflict = z
  .strictObject({ path: z.string(), ours: ContentHash.nullable(), theirs: ContentHash.nullable() })
  .readonly();
export type CommitConflict = z.infer<typeof CommitConflict>;

/** A limit of one command, by the name of its key below `sandbox.resource_limits`. */
export const LimitKey = z.enum([
  'max_memory_mb',
  'max_cpu_percent',
  'max_processes',
  'max_file_mb',
  'max_written_mb',
  'max_written_files',
  'max_open_files',
]);
export type LimitKey = z.infer<typeof LimitKey>;

/** A limit that a command reached. Both numbers have the unit of the setting: MiB, percent, or a count. */
export const LimitHit = z
  .strictObject({
    limit: LimitKey,
    allowed: z.number(),
    /** Null when it is not measured. */
    used: z.number().nullable(),
  })
  .readonly();
export type LimitHit = z.infer<typeof LimitHit>;

/** The result of an executor, after the process tree has exited. */
export const Execution = z
  .strictObject({
    ended: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('exited'), exitCode: z.int() }).readonly(),
      z.strictObject({ kind: z.literal('signalled'), signal: z.string() }).readonly(),
      z.strictObject({ kind: z.literal('timed_out'), timeoutMs: z.number() }).readonly(),
      /** Stopped by us: a cancel, a lost lease. `why`: when it was not requested. */
      z.strictObject({ kind: z.literal('stopped'), why: z.string().optional() }).readonly(),
      /** It was killed for one of its limits. */
      z.strictObject({ kind: z.literal('limited'), limit: LimitKey }).readonly(),
      /** It exited, but others had changed the files it wrote: none of its files was committed. */
      z
        .strictObject({
          kind: z.literal('conflict'),
          exitCode: z.int(),
          conflicts: z.array(CommitConflict).readonly(),
          /** Facts for a reader, one a line. */
          why: z.array(z.string()).readonly(),
        })
        .readonly(),
      /** It exited, but wrote to forbidden paths: none of its files was committed, except for `quarantined`. */
      z
        .strictObject({
          kind: z.literal('refused'),
          exitCode: z.int(),
          /**
           * `snapshot_failed`: what it replaced is too large to keep (S001-106). `quarantined`: it wrote to the
           * workspace itself; forbidden files were moved to the quarantine, all others stay.
           */
          code: z.enum(['snapshot_failed', 'quarantined']).optional(),
          why: z.array(z.string()).readonly(),
        })
        .readonly(),
      /** Some of its files were committed, and could not be rolled back. */
      z
        .strictObject({
          kind: z.literal('rollback_failed'),
          exitCode: z.int(),
          why: z.array(z.string()).readonly(),
        })
        .readonly(),
    ]),
    stdout: StoredOutput,
    stderr: StoredOutput,
    startedAt: z.number(),
    durationMs: z.number(),
    usage: ResourceUsage,
    isolation: Isolation,
    /** Exactly the files that it changed in the workspace; absent when unknown. */
    changes: z.array(FileTouch).readonly().optional(),
    /** What it changed below `.git`, a line each: refs and HEAD by name, objects by their number. Absent: nothing. */
    git: z.array(z.string()).readonly().optional(),
    /** It had changed files, and its exit code is one that rolls them back (S001-103). */
    rolledBack: z.literal(true).optional(),
    /** Its exit code is its answer, not a failure: `grep` without a match. */
    answered: z.literal(true).optional(),
    /** How many times it ran again because others had changed what it wrote; absent: 0. */
    reruns: z.int().min(1).optional(),
    /** Files that others had changed too, and that hold both changes now. */
    merged: z.array(z.string()).readonly().optional(),
    /** Its connections and attempts; absent when it had no network, or an unwatched one. */
    network: z.array(NetworkUse).readonly().optional(),
    /** Connection attempts of a command that had no network and did not succeed. Absent: none, or not counted. */
    connectionAttempts: ConnectionAttempts.optional(),
    /** The report that its program was told to write, or why there is none; absent: none was wanted. */
    report: z
      .discriminatedUnion('kind', [
        /** At most 4 MiB; not redacted. */
        z.strictObject({ kind: z.literal('read'), text: z.string() }).readonly(),
        z.strictObject({ kind: z.literal('none'), why: z.string() }).readonly(),
      ])
      .optional(),
    /** Limits that it reached; absent when none is known. */
    limitsReached: z.array(LimitHit).readonly().optional(),
  })
  .readonly();
export type Execution = z.infer<typeof Execution>;

/** For a program that was stopped before it began. @param startedAt Epoch milliseconds. */
export function notStarted(startedAt: number, isolation: Isolation): Execution {
  return {
    ended: { kind: 'stopped' },
    stdout: EMPTY_OUTPUT,
    stderr: EMPTY_OUTPUT,
    startedAt,
    durationMs: 0,
    usage: { cpuMs: null, peakMemoryBytes: null },
    isolation,
  };
}

/** The exit code of specification 003: -1 when the process did not end by itself. */
export function exitCodeOf(execution: Execution): number {
  return execution.ended.kind === 'exited' ? execution.ended.exitCode : -1;
}

/** Messages of bash, npm, make and Python that the program never started. */
const NOT_STARTED =
  /^(?:\/bin\/)?bash: line \d+: |^npm (?:ERR!|error) code E(?!LIFECYCLE)|\bMissing script: |No rule to make target|: No module named /m;

/**
 * Whether a program did its work and answered by an exit code other than 0: a search without a match, tests that fail.
 *
 * @param answerCodes its codes for that, from the policy's table
 */
export function isAnswer(
  { ended, stderr, limitsReached = [] }: Pick<Execution, 'ended' | 'stderr' | 'limitsReached'>,
  answerCodes: readonly number[] = [],
): boolean {
  if (ended.kind !== 'exited' || limitsReached.length > 0) return false;
  return answerCodes.includes(ended.exitCode) && !NOT_STARTED.test(stderr.text);
}
