import * as z from 'zod';
import { Approval, CallHash } from './approval.ts';
import { Call, CallContext } from './call.ts';
import { Claim } from '../leases/claim.ts';
import { CommandId, NodeId, ProviderId } from '../id.ts';
import { GateDecision } from './gate-decision.ts';
import { Lease } from '../leases/lease.ts';
import { Mode } from '../mode.ts';
import type { PublishedStatus } from './outcome.ts';
import { CommandResult } from './result.ts';
import { Ruling } from './ruling.ts';
import { Suspect } from './suspect.ts';
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
    /** Name of the event, such as `ruling.allowed`. */
    event: z.string(),
    /** The resulting state with its child states: `running.working`. */
    state: z.string(),
    /** Epoch milliseconds. */
    at: z.number(),
  })
  .readonly();
export type CommandStep = z.infer<typeof CommandStep>;

/** An accepted call: what the store keeps of it, and everything needed to continue after a crash. */
export const CommandRecord = z
  .strictObject({
    id: CommandId,
    /** 1 when first stored, plus one per commit; a commit based on an older one is refused. */
    revision: z.int().min(0),
    /** The coordinator that leads it, where a workspace has several; absent where it has one. */
    owner: NodeId.optional(),
    state: CommandState,
    /** Contains secrets until the command is done, so that it can still run; redacted from then on. */
    call: Call,
    /** Set for a tool of another server. */
    origin: ToolOrigin.optional(),
    context: CallContext,
    /** Redacted, one line. */
    title: z.string(),
    callHash: CallHash.nullable(),
    verdict: Verdict.nullable(),
    /** Mode in which it was judged. */
    mode: Mode.nullable().default(null),
    ruling: Ruling.nullable(),
    /** What its model seems to have made up; absent: nothing, or it was not checked. */
    suspects: z.array(Suspect).readonly().optional(),
    /** What gates decided, in their order; absent: none judged it. */
    gates: z.array(GateDecision).readonly().optional(),
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
    /** The last 50 steps; absent from records of earlier versions. */
    path: z.array(CommandStep).readonly().optional(),
  })
  .readonly();
export type CommandRecord = z.infer<typeof CommandRecord>;

/** The state in the words of specification 003: `pending` covers submitted to approved. */
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

/** A command that history has dropped, as shown to people. */
export const ForgottenCommand = z
  .strictObject({
    id: CommandId,
    provider: ProviderId,
    why: z
      .array(z.string())
      .readonly()
      .describe('Which settings decide that, and what the audit log says about it'),
  })
  .readonly();
export type ForgottenCommand = z.infer<typeof ForgottenCommand>;

/** A command whose files could be neither committed nor rolled back completely; its claims stay held. */
export const StuckCommand = z.strictObject({
  command: CommandId,
  /** Epoch milliseconds. */
  since: z.number(),
  /** Why the last roll-back failed. */
  why: z.string(),
});
export type StuckCommand = z.infer<typeof StuckCommand>;
