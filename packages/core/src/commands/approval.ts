import * as z from 'zod';
import { Call } from './call.ts';
import { EffectPath } from '../effect.ts';
import { Channel } from './channel.ts';
import { PersonQuestion } from './person-question.ts';

/**
 * Hex SHA-256 of a command's call: tool, arguments, working directory and policy version. An approval's hash is over
 * this and the files that the call would touch: a person's answer is bound to it.
 */
export const CallHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'CallHash'>();
export type CallHash = z.infer<typeof CallHash>;

/** Who answered and how: `ana` at the `terminal`; `auto` where nobody was asked (S001-38). */
export const Approver = z.strictObject({ name: z.string().min(1).max(128), channel: Channel }).readonly();
export type Approver = z.infer<typeof Approver>;

/** One person's approval. */
export const Grant = z.strictObject({ by: Approver, at: z.number() }).readonly();
export type Grant = z.infer<typeof Grant>;

/** One path that the call would touch, as it was when approval was requested. */
export const BaseFile = z
  .strictObject({
    path: EffectPath,
    /** Equal as long as nothing changed: `absent`, a content hash, or size and time of last change. */
    state: z.string(),
  })
  .readonly();
export type BaseFile = z.infer<typeof BaseFile>;

/** The files that an answer is bound to: if one changes before the call runs, approval is requested again. */
export const ApprovalBase = z
  .strictObject({
    files: z.array(BaseFile).readonly(),
    /** What the call may touch outside the answer's binding, in plain words. */
    unbound: z.array(z.string()).readonly(),
    /** Links to programs and scripts that it would run and that could not be followed: such a call is dangerous. */
    unboundCode: z.array(EffectPath).readonly().optional(),
  })
  .readonly();
export type ApprovalBase = z.infer<typeof ApprovalBase>;

/** A repeat of the approval request, because what the earlier one was based on had changed. */
export const RepeatedApproval = z
  .strictObject({
    at: z.number(),
    /**
     * `writes`: it ran, and would change files that it had not named; nothing was committed, and a grant runs it again.
     */
    because: z.enum(['files', 'policy', 'call', 'writes']),
    /** The paths that had changed, for `files`. */
    paths: z.array(z.string()).readonly(),
  })
  .readonly();
export type RepeatedApproval = z.infer<typeof RepeatedApproval>;

const asked = {
  callHash: CallHash,
  requestedAt: z.number(),
  /** Time of the first request; absent: this one is the first. */
  firstRequestedAt: z.number().optional(),
  expiresAt: z.number(),
  /** Since when its session is paused: it expired without an answer and is still open. */
  pausedAt: z.number().optional(),
  /** How many different people must approve. */
  approvers: z.int().min(1).max(2).default(1),
  /** Each by a different person, oldest first; fewer than `approvers` while it is pending. */
  grants: z.array(Grant).readonly().default([]),
  /** It is a model's question, and waits for an answer in words. Redacted. Absent: the call needs approval. */
  question: PersonQuestion.optional(),
  base: ApprovalBase.default({ files: [], unbound: [] }),
  /** Oldest first. */
  again: z.array(RepeatedApproval).readonly().default([]),
  /** The call before a person modified it; the record holds the modified one. */
  modifiedFrom: Call.optional(),
};
const answered = { ...asked, by: Approver, answeredAt: z.number() };

/** A person's answer to `ask`, or that it is pending. */
export const Approval = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('pending'), ...asked }).readonly(),
  /** `by` gave the last grant that was needed. */
  z
    .strictObject({
      status: z.literal('granted'),
      ...answered,
      /** The person's words, for a question. Redacted. */
      answer: z.string().optional(),
    })
    .readonly(),
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

/** An open approval. */
export type PendingApproval = Approval & { readonly status: 'pending' };
