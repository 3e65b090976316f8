import * as z from 'zod';
import { CommandId, ProviderId } from '../id.ts';
import { Phase } from './call.ts';

/** The gates between the policy's ruling and approval or start, in the order in which they are asked. */
export const GateName = z.enum(['utility', 'adversarial']);
export type GateName = z.infer<typeof GateName>;

/** Where the paths and texts of a call first appeared in its session (S001-36, S001-41). */
export const ClaimSource = z
  .strictObject({
    /** `task`: the person's own words. */
    kind: z.enum(['task', 'file', 'url', 'output']),
    /** The path, the URL or the command's title; empty for the task. Redacted. */
    name: z.string(),
    /** The command that read or printed it; null for the task. */
    commandId: CommandId.nullable(),
    /** What was found there: a path or text of the call. Redacted. */
    text: z.string(),
  })
  .readonly();
export type ClaimSource = z.infer<typeof ClaimSource>;

const decided = {
  /** `unavailable`: the gate could not decide. */
  decision: z.enum(['allow', 'deny', 'unavailable']),
  /** Only recorded: the call continued whatever was decided. */
  shadow: z.boolean(),
  /** In plain words, no full stop. Redacted. */
  reason: z.string(),
  /** How long it took, in milliseconds. */
  ms: z.number(),
};

/** The decision of a model by policies in plain words (P5, S001-119). */
export const AdversarialDecision = z
  .strictObject({
    gate: z.literal('adversarial'),
    ...decided,
    /** The policy that it violates; null for none. */
    policy: z.string().nullable(),
    /** Who judged. */
    provider: ProviderId,
    phase: Phase,
    /** The verdict on an equal call was used. */
    cached: z.boolean(),
    /** Identifies policies and judge: under others the decision does not count. */
    version: z.string(),
    claimSource: ClaimSource.nullable(),
  })
  .readonly();
export type AdversarialDecision = z.infer<typeof AdversarialDecision>;

/** The decision by expected gain and cost (P4). */
export const UtilityDecision = z
  .strictObject({
    gate: z.literal('utility'),
    ...decided,
    terms: z.record(z.string(), z.number()).readonly(),
  })
  .readonly();
export type UtilityDecision = z.infer<typeof UtilityDecision>;

/** What a gate decided about a call, stored with it. */
export const GateDecision = z.discriminatedUnion('gate', [UtilityDecision, AdversarialDecision]);
export type GateDecision = z.infer<typeof GateDecision>;
