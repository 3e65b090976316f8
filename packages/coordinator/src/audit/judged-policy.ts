import { CommandId, Phase, ProviderId } from '@signalbox/core';
import * as z from 'zod';

/** The adversarial gate's decision on a call, in the audit log (S001-119). */
export const JudgedPolicy = z
  .strictObject({
    decision: z.enum(['allow', 'deny', 'unavailable']),
    /** The violated policy; null for none. */
    policy: z.string().nullable(),
    /** Who judged. */
    provider: ProviderId,
    ms: z.number(),
    phase: Phase,
    /** Only recorded. */
    shadow: z.boolean(),
    /** The verdict on an equal call was used. */
    cached: z.boolean(),
    reason: z.string(),
  })
  .readonly();
export type JudgedPolicy = z.infer<typeof JudgedPolicy>;

/** Where the content of a call first appeared in its session, in the audit log (S001-41). */
export const AuditedSource = z
  .strictObject({
    kind: z.enum(['task', 'file', 'url', 'output']),
    name: z.string(),
    command_id: CommandId.nullable(),
    text: z.string(),
  })
  .readonly();
export type AuditedSource = z.infer<typeof AuditedSource>;
