import { createHash } from 'node:crypto';
import {
  canonicalJson,
  CommandId,
  ErrorCategory,
  Json,
  Level,
  Mode,
  NetworkUse,
  Phase,
  ProviderId,
  Rollback,
  SessionId,
  Trust,
} from '@signalbox/core';
import * as z from 'zod';

/** Hash before the first line. */
export const GENESIS = '0'.repeat(64);

/**
 * One line of `audit.jsonl`: what a command was, who let it run and how it ended (N1, N4, S001-38).
 *
 * Keys are those of specification 001, in snake case, because other programs read this file.
 */
export const AuditEntry = z
  .strictObject({
    /** ISO 8601, UTC. */
    ts: z.string(),
    command_id: CommandId,
    session_id: SessionId,
    provider: ProviderId,
    tool: z.string(),
    /** Redacted arguments. */
    call: Json,
    /** How it ended: `completed`, `denied` … */
    result: z.string(),
    mode: Mode,
    level: Level.nullable(),
    rule: z.string().nullable(),
    trust: Trust,
    /** `auto`, a person's name, or null when it was never approved. */
    approved_by: z.string().nullable(),
    approved_over: z.string().nullable(),
    /** Every answer that people gave to the question that counted, oldest first. */
    answers: z
      .array(
        z.strictObject({
          by: z.string(),
          over: z.string(),
          answer: z.enum(['granted', 'refused']),
          ts: z.string(),
        }),
      )
      .optional(),
    /** Why it was asked anew, each time: `files`, with their names, `policy`, `call`. */
    asked_again: z
      .array(z.strictObject({ because: z.string(), paths: z.array(z.string()), ts: z.string() }))
      .optional(),
    exit_code: z.int().nullable(),
    truncated: z.boolean(),
    error_code: z.string().nullable(),
    error_category: ErrorCategory.nullable(),
    error_detail: z.string().nullable(),
    files: z.array(z.strictObject({ path: z.string(), kind: z.string() })),
    /** Whom its programs talked to, or tried to; absent where they had no network or one that nobody watched. */
    network: z.array(NetworkUse).optional(),
    /** Set when what it wrote was not kept, or is stuck half-way (S001-107, X-43). */
    rollback: Rollback.optional(),
    fencing_token: z.int().nullable(),
    latency_ms: z.number(),
    duration_ms: z.number(),
    phase: Phase,
    caller_id: z.string().nullable(),
    /** Where the call's content came from; filled by the adversarial gate (S001-41), null until it exists. */
    claim_source: z.string().nullable(),
  })
  .readonly();
export type AuditEntry = z.infer<typeof AuditEntry>;

/** An entry in its place in the chain: `hash` is over `prev` and the entry. */
export const AuditLine = z
  .object({ ...AuditEntry.def.innerType.shape, prev: z.string(), hash: z.string() })
  .readonly();
export type AuditLine = z.infer<typeof AuditLine>;

/** Puts an entry behind the line whose hash is `prev`. */
export function chain(entry: AuditEntry, prev: string): AuditLine {
  return { ...entry, prev, hash: hashOf(entry, prev) };
}

export function hashOf(entry: unknown, prev: string): string {
  return createHash('sha256').update(prev).update('\n').update(canonicalJson(entry)).digest('hex');
}
