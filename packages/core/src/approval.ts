import * as z from 'zod';
import { Call } from './call.ts';

/** Hex SHA-256 over tool, arguments, working directory and policy version: what a person's answer is bound to. */
export const CallHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'CallHash'>();
export type CallHash = z.infer<typeof CallHash>;

/** Who answered and how: `ana` at the `terminal`; `auto` where nobody was asked (S001-38). */
export const Approver = z
  .strictObject({
    name: z.string().min(1).max(128),
    channel: z.enum(['terminal', 'cli', 'http', 'demo', 'test']),
  })
  .readonly();
export type Approver = z.infer<typeof Approver>;

const asked = { callHash: CallHash, requestedAt: z.number(), expiresAt: z.number() };
const answered = { ...asked, by: Approver, answeredAt: z.number() };

/** A person's answer to `ask`, or that there is none yet. */
export const Approval = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('pending'), ...asked }).readonly(),
  z
    .strictObject({
      status: z.literal('granted'),
      ...answered,
      /** The call before a person changed it; the record holds the changed one. */
      modifiedFrom: Call.optional(),
    })
    .readonly(),
  z.strictObject({ status: z.literal('refused'), ...answered, reason: z.string().optional() }).readonly(),
  z.strictObject({ status: z.literal('expired'), ...asked }).readonly(),
]);
export type Approval = z.infer<typeof Approval>;
