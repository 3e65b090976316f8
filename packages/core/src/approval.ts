import * as z from 'zod';
import { Call } from './call.ts';
import { Channel } from './channel.ts';
import { EffectPath } from './effect.ts';

/**
 * Hex SHA-256 of a command's call: over tool, arguments, working directory and policy version. That of a question is
 * over this and the files that the call would touch: what a person's answer is bound to.
 */
export const CallHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'CallHash'>();
export type CallHash = z.infer<typeof CallHash>;

/** Who answered and how: `ana` at the `terminal`; `auto` where nobody was asked (S001-38). */
export const Approver = z.strictObject({ name: z.string().min(1).max(128), channel: Channel }).readonly();
export type Approver = z.infer<typeof Approver>;

/** One person's yes. */
export const Grant = z.strictObject({ by: Approver, at: z.number() }).readonly();
export type Grant = z.infer<typeof Grant>;

/** One name that the call would touch, as it stood when a person was asked. */
export const BaseFile = z
  .strictObject({
    path: EffectPath,
    /** Equal as long as nothing changed: `absent`, a content hash, or size and time of last change. */
    state: z.string(),
  })
  .readonly();
export type BaseFile = z.infer<typeof BaseFile>;

/** The files that an answer is bound to: one that changes before the call runs makes the question be asked again. */
export const ApprovalBase = z
  .strictObject({
    files: z.array(BaseFile).readonly(),
    /** What the call may touch and the answer is not bound to, in plain words. */
    unbound: z.array(z.string()).readonly(),
    /** Links to programs and scripts that it would run and that could not be followed: such a call is dangerous. */
    unboundCode: z.array(EffectPath).readonly().optional(),
  })
  .readonly();
export type ApprovalBase = z.infer<typeof ApprovalBase>;

/** That the same question was put once more, because what the earlier one rested on had changed. */
export const RepeatedApproval = z
  .strictObject({
    at: z.number(),
    /** `writes`: it ran, and would change what it had not named; nothing of it was put, and a yes runs it again. */
    because: z.enum(['files', 'policy', 'call', 'writes']),
    /** The names that had changed, of `files`. */
    paths: z.array(z.string()).readonly(),
  })
  .readonly();
export type RepeatedApproval = z.infer<typeof RepeatedApproval>;

const asked = {
  callHash: CallHash,
  requestedAt: z.number(),
  /** When it was put for the first time; absent: then. */
  firstRequestedAt: z.number().optional(),
  expiresAt: z.number(),
  /** Since when its session is paused: nobody had answered when it expired, and it is still open. */
  pausedAt: z.number().optional(),
  /** How many different people must say yes. */
  approvers: z.int().min(1).max(2).default(1),
  /** Each by another person, oldest first; fewer than `approvers` while it is pending. */
  grants: z.array(Grant).readonly().default([]),
  base: ApprovalBase.default({ files: [], unbound: [] }),
  /** Oldest first. */
  again: z.array(RepeatedApproval).readonly().default([]),
  /** The call before a person changed it; the record holds the changed one. */
  modifiedFrom: Call.optional(),
};
const answered = { ...asked, by: Approver, answeredAt: z.number() };

/** A person's answer to `ask`, or that there is none yet. */
export const Approval = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('pending'), ...asked }).readonly(),
  /** `by` is who gave the last grant that was needed. */
  z.strictObject({ status: z.literal('granted'), ...answered }).readonly(),
  z.strictObject({ status: z.literal('refused'), ...answered, reason: z.string().optional() }).readonly(),
  z
    .strictObject({
      status: z.literal('expired'),
      ...asked,
      /** A late answer is kept for the next identical call. */
      answerable: z.boolean().optional(),
    })
    .readonly(),
]);
export type Approval = z.infer<typeof Approval>;

/** The question as it stands open. */
export type PendingApproval = Approval & { readonly status: 'pending' };
