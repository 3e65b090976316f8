import * as z from 'zod';
import { Approval, CallHash } from './approval.ts';
import { Call, CallContext } from './call.ts';
import { Claim } from './claim.ts';
import { CommandId, MemberId, ProviderId } from './id.ts';
import { Lease } from './lease.ts';
import { Mode } from './mode.ts';
import type { PublishedStatus } from './outcome.ts';
import { CommandResult } from './result.ts';
import { Ruling } from './ruling.ts';
import { ToolOrigin } from './tool-origin.ts';
import { Verdict } from './verdict.ts';

export const CommandState = z.enum([
  'submitted',
  'classified',
  'awaiting_approval',
  'approved',
  'queued',
  'running',
  'done',
]);
export type CommandState = z.infer<typeof CommandState>;

/** One step of a command through its machine. */
const CommandStep = z
  .strictObject({
    /** `ruling.allowed` and others. */
    event: z.string(),
    /** The state that it led to, with what is below it: `running.working`. */
    state: z.string(),
    /** Epoch milliseconds. */
    at: z.number(),
  })
  .readonly();
export type CommandStep = z.infer<typeof CommandStep>;

/** A call that has entered the coordinator: what the store keeps of it, and all that is needed to go on after a crash. */
export const CommandRecord = z
  .strictObject({
    id: CommandId,
    /** 1 when first stored, one more at each commit; a commit on an older one is refused. */
    revision: z.int().min(0),
    /** The coordinator that leads it, where a workspace has several; absent where it has one. */
    owner: MemberId.optional(),
    state: CommandState,
    /** With secrets until it is done, so that it can still run; redacted from then on. */
    call: Call,
    /** Set where the tool is of another server. */
    origin: ToolOrigin.optional(),
    context: CallContext,
    /** Redacted, one line. */
    title: z.string(),
    callHash: CallHash.nullable(),
    verdict: Verdict.nullable(),
    /** In which it was judged. */
    mode: Mode.nullable().default(null),
    ruling: Ruling.nullable(),
    approval: Approval.nullable(),
    claims: z.array(Claim).readonly(),
    lease: Lease.nullable(),
    submittedAt: z.number(),
    approvedAt: z.number().nullable(),
    queuedAt: z.number().nullable(),
    startedAt: z.number().nullable(),
    endedAt: z.number().nullable(),
    /** Set exactly when `state` is `done`. */
    result: CommandResult.nullable(),
    /** The steps that led here, the last 50; absent from what earlier versions stored. */
    path: z.array(CommandStep).readonly().optional(),
  })
  .readonly();
export type CommandRecord = z.infer<typeof CommandRecord>;

/** The word of specification 003 for a command's state: `pending` covers submitted to approved. */
export function publishedStatus(record: CommandRecord): PublishedStatus {
  if (record.state === 'queued' || record.state === 'running') return record.state;
  if (record.result === null) return 'pending';
  switch (record.result.outcome.kind) {
    case 'completed':
      return 'completed';
    case 'denied':
    case 'blocked':
      return 'denied';
    case 'cancelled':
      return 'cancelled';
    case 'failed':
    case 'conflict':
    case 'timed_out':
    case 'lost':
      return 'failed';
  }
}

/** A command that the history has dropped, as people are told of it. */
export const ForgottenCommand = z
  .strictObject({
    id: CommandId,
    provider: ProviderId,
    why: z
      .array(z.string())
      .readonly()
      .describe('Which settings decide that, and what the audit log has of it'),
  })
  .readonly();
export type ForgottenCommand = z.infer<typeof ForgottenCommand>;

/** A command whose files could be neither committed nor taken back whole; what it claims stays held. */
export const StuckCommand = z.strictObject({
  command: CommandId,
  /** Epoch milliseconds. */
  since: z.number(),
  /** Why they could not be taken back the last time. */
  why: z.string(),
});
export type StuckCommand = z.infer<typeof StuckCommand>;
