import * as z from 'zod';
import { CheckReport } from './check-report.ts';
import { Isolation, ResourceUsage } from './execution.ts';
import { Failure } from '../errors/failure.ts';
import { FilterUse } from './filter-use.ts';
import { FileTouch } from '../files/file-touch.ts';
import { CommandId, ProviderId, SessionId } from '../id.ts';
import { Json } from '../json.ts';
import { NetworkUse } from '../network/network-use.ts';
import { Outcome } from './outcome.ts';
import { Rollback } from './rollback.ts';

/** The earlier command whose run gave a result that was used again. */
export const ReuseSource = z
  .strictObject({
    commandId: CommandId,
    provider: ProviderId,
    endedAt: z.number(),
    /** How long it ran: the time that was saved. */
    durationMs: z.number(),
  })
  .readonly();
export type ReuseSource = z.infer<typeof ReuseSource>;

/** The one answer to a call, whatever its outcome (A3, S000-25…30, S003-22). */
export const CommandResult = z
  .strictObject({
    commandId: CommandId,
    callId: z.string(),
    sessionId: SessionId,
    provider: ProviderId,
    tool: z.string(),
    /** The call as people read it: `write_file src/cart.ts`, `bash npm test`. Redacted. */
    title: z.string(),
    success: z.boolean(),
    outcome: Outcome,
    /** The text for the model: the tool's output, or the `[tool_error]` block. Redacted. */
    content: z.string(),
    /** Set when `content` leaves out a part of the output; `stdout`, `stderr` and `output` have all of it. */
    filtered: FilterUse.optional(),
    /** Where its text comes from, if from outside of the workspace: in `content` it is between marks. Redacted. */
    untrusted: z.string().optional(),
    /** More for the model, separate from `content`: a part of its own in each protocol. Redacted. */
    notes: z.array(z.string()).readonly().optional(),
    /** The tool's own answer, as data. Redacted. */
    output: Json,
    /** What its tests or linters reported; absent: it ran none, or they reported nothing that could be read. */
    report: CheckReport.optional(),
    failure: Failure.nullable(),
    /** Never null for a shell line that ran (S001-22). */
    exitCode: z.int().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    /** Whether a stream was cut to its bound; the model is informed (S001-23). */
    truncated: z.boolean(),
    spillFiles: z.strictObject({ stdout: z.string().optional(), stderr: z.string().optional() }).readonly(),
    files: z.array(FileTouch).readonly(),
    /** Changes below `.git`, a line each. Redacted; absent: none. */
    git: z.array(z.string()).readonly().optional(),
    /** Set when its writes were not kept, by its exit code, or are stuck half-way. */
    rollback: Rollback.optional(),
    /** For a command that blocked no other while it ran: files that others changed meanwhile, at most 20. */
    changedUnderneath: z.array(z.string()).readonly().optional(),
    /** Connections and attempts of its programs; absent when they had no network, or an unwatched one. */
    network: z.array(NetworkUse).readonly().optional(),
    /** For a command that had no network and did not succeed: its connection attempts, and what to do, a line each. */
    offline: z.array(z.string()).readonly().optional(),
    /** Nothing ran: this is the result of that command, on exactly the same files. Absent: it ran itself. */
    reusedFrom: ReuseSource.optional(),
    usage: ResourceUsage.nullable(),
    isolation: Isolation.nullable(),
    submittedAt: z.number(),
    endedAt: z.number(),
    /** From submit to result, waiting included. */
    latencyMs: z.number(),
    /** Execution alone; 0 when it never ran. */
    durationMs: z.number(),
    /** In the queue, behind other leases and the concurrency limit. */
    waitedMs: z.number(),
    /** Waiting for approval. */
    approvalMs: z.number(),
  })
  .readonly();
export type CommandResult = z.infer<typeof CommandResult>;
