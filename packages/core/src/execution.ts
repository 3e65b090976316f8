import * as z from 'zod';
import { ContentHash, FileTouch } from './file-touch.ts';
import { LimitHit, LimitKey } from './limit-hit.ts';
import { NetworkUse } from './network/network-use.ts';

/** What is stored of one output stream. */
export const StoredOutput = z
  .strictObject({
    /** At most 102,400 bytes of UTF-8: the head and the tail, with a line between them that counts what was left out. */
    text: z.string(),
    /** All that was printed, in bytes. */
    totalBytes: z.int().min(0),
    truncated: z.boolean(),
    /** File that holds the full text, when it was truncated and the spill's own bound (128 MiB) allowed. */
    spillFile: z.string().optional(),
  })
  .readonly();
export type StoredOutput = z.infer<typeof StoredOutput>;

export const EMPTY_OUTPUT: StoredOutput = { text: '', totalBytes: 0, truncated: false };

const Strength = z.enum(['enforced', 'sampled', 'off']);
const measure = z.strictObject({ strength: Strength, why: z.string().optional() }).readonly();

/** What confined a command, measure by measure, with the reason where a measure is not enforced. */
export const Isolation = z
  .strictObject({
    /** `bind`: bubblewrap on the workspace itself. `none`: an operator switched confinement off. */
    layer: z.enum(['overlay', 'bind', 'container', 'macos', 'none']),
    /** The program that confines, with its version; absent where none does. */
    backend: z.string().optional(),
    fs: measure,
    net: measure,
    pid: measure,
    syscalls: measure,
    limits: z.strictObject({ cpu: measure, memory: measure, processes: measure, disk: measure }).readonly(),
    tracking: measure,
    /**
     * Absolute folders that each command finds empty and has to itself, and that are gone with it: `/tmp`. Absent:
     * none.
     */
    ownFolders: z.array(z.string()).readonly().optional(),
  })
  .readonly();
export type Isolation = z.infer<typeof Isolation>;

/** Of the whole process tree; null where it could not be measured. */
export const ResourceUsage = z
  .strictObject({
    cpuMs: z.number().nullable(),
    peakMemoryBytes: z.number().nullable(),
    /** Of files in the workspace, the home and temporary folders; absent or null where nobody counts them. */
    writtenBytes: z.number().nullable().optional(),
  })
  .readonly();
export type ResourceUsage = z.infer<typeof ResourceUsage>;

/** Connections that found nobody, as the kernel counted them. */
const ConnectionAttempts = z
  .strictObject({
    /** To its own loopback, where the services of the machine are not. */
    loopback: z.int().min(0),
    /** To anywhere else. */
    away: z.int().min(0),
  })
  .readonly();

/** A file that changed under a transaction: hashes of both versions, null where one is absent or no file. */
export const CommitConflict = z
  .strictObject({ path: z.string(), ours: ContentHash.nullable(), theirs: ContentHash.nullable() })
  .readonly();
export type CommitConflict = z.infer<typeof CommitConflict>;

/** What an executor says when the process tree is dead. */
export const Execution = z
  .strictObject({
    ended: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('exited'), exitCode: z.int() }).readonly(),
      z.strictObject({ kind: z.literal('signalled'), signal: z.string() }).readonly(),
      z.strictObject({ kind: z.literal('timed_out'), timeoutMs: z.number() }).readonly(),
      /** We ended it: a cancel, a lost lease. `why`: where nobody asked for it. */
      z.strictObject({ kind: z.literal('stopped'), why: z.string().optional() }).readonly(),
      /** It was killed for one of its limits. */
      z.strictObject({ kind: z.literal('limited'), limit: LimitKey }).readonly(),
      /** It ended by itself, but others had changed what it wrote: none of its files was put. */
      z
        .strictObject({
          kind: z.literal('conflict'),
          exitCode: z.int(),
          conflicts: z.array(CommitConflict).readonly(),
          /** The same for a reader, one fact a line. */
          why: z.array(z.string()).readonly(),
        })
        .readonly(),
      /** It ended by itself, but wrote what it must not: none of its files was put, but for `quarantined`. */
      z
        .strictObject({
          kind: z.literal('refused'),
          exitCode: z.int(),
          /**
           * `snapshot_failed`: what it replaced is too much to be kept (S001-106). `quarantined`: it wrote to the workspace
           * itself; what it must not write was moved to the quarantine, all else stays.
           */
          code: z.enum(['snapshot_failed', 'quarantined']).optional(),
          why: z.array(z.string()).readonly(),
        })
        .readonly(),
      /** A part of its files was put, and could not be taken back. */
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
    /** Exactly the files that it changed in the workspace; absent where that can't be known. */
    changes: z.array(FileTouch).readonly().optional(),
    /** What it changed below `.git`, a line each: refs and HEAD by name, objects by their number. Absent: nothing. */
    git: z.array(z.string()).readonly().optional(),
    /** It had changed files, and its exit code was one that takes them back (S001-103). */
    rolledBack: z.literal(true).optional(),
    /** Its exit code is what it was asked for, and no failure: `grep` without a match. */
    answered: z.literal(true).optional(),
    /** How many times it ran again, since others had changed what it wrote; absent: it did not. */
    reruns: z.int().min(1).optional(),
    /** Files of it that others had changed too, and that hold both now. */
    merged: z.array(z.string()).readonly().optional(),
    /** Whom it talked to, or tried to; absent where it had no network, or one that nobody watched. */
    network: z.array(NetworkUse).readonly().optional(),
    /** Of one without a network that did not succeed: that it tried to connect. Absent: it did not, or nobody counted. */
    connectionAttempts: ConnectionAttempts.optional(),
    /** Limits that it ran into; absent where none is known. */
    limitsReached: z.array(LimitHit).readonly().optional(),
  })
  .readonly();
export type Execution = z.infer<typeof Execution>;

/** Of a program that was stopped before it began. @param startedAt Epoch milliseconds. */
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

/** The exit code as specification 003 wants it: -1 where the process did not end by itself. */
export function exitCodeOf(execution: Execution): number {
  return execution.ended.kind === 'exited' ? execution.ended.exitCode : -1;
}

/** The program that was to answer never worked: bash, npm, make or Python says so. */
const NOT_STARTED =
  /^(?:\/bin\/)?bash: line \d+: |^npm (?:ERR!|error) code E(?!LIFECYCLE)|\bMissing script: |No rule to make target|: No module named /m;

/**
 * Whether a program did its work and answered by another exit code than 0: a search without a match, tests that fail.
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
