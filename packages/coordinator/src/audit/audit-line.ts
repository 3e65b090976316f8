import {
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
import { AuditedSource, JudgedPolicy } from './judged-policy.ts';
import { OutputHashes } from './output-hashes.ts';
import { sha256 } from './sha256.ts';

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
    /** `auto`, a person's name, or null if it was never approved. */
    approved_by: z.string().nullable(),
    approved_over: z.string().nullable(),
    /** All answers to the approval request that counted, oldest first. */
    answers: z
      .array(
        z.strictObject({
          by: z.string(),
          over: z.string(),
          answer: z.enum(['granted', 'refused', 'answered']),
          /** What a person answered to a question. Redacted. */
          text: z.string().optional(),
          ts: z.string(),
        }),
      )
      .optional(),
    /** The reason for each repetition of the request: `files`, with their names, `policy`, `call`. */
    asked_again: z
      .array(z.strictObject({ because: z.string(), paths: z.array(z.string()), ts: z.string() }))
      .optional(),
    /** -1 for a shell line that did not end by itself or never ran; null for tools without one. */
    exit_code: z.int().nullable(),
    outputs: OutputHashes,
    truncated: z.boolean(),
    error_code: z.string().nullable(),
    error_category: ErrorCategory.nullable(),
    error_detail: z.string().nullable(),
    files: z.array(z.strictObject({ path: z.string(), kind: z.string() })),
    /** Its changes below `.git`, a line each; absent: none. */
    git: z.array(z.string()).optional(),
    /** Hosts its programs contacted or tried to; absent if they had no network or an unmonitored one. */
    network: z.array(NetworkUse).optional(),
    /** Nothing ran: the result is that of an earlier command, on exactly the same files. */
    cached: z.literal(true).optional(),
    cached_from: CommandId.optional(),
    /** Set if its changes were discarded, or are partly applied (S001-107, X-43). */
    rollback: Rollback.optional(),
    fencing_token: z.int().nullable(),
    /** From submit to result, and of the execution only; both on the monotonic clock. */
    latency_ms: z.number(),
    duration_ms: z.number(),
    phase: Phase,
    caller_id: z.string().nullable(),
    /** The adversarial gate's decision (S001-119); null: the call was not judged by it. */
    adversarial_policy_decision: JudgedPolicy.nullable(),
    /** Where the call's paths or texts first appeared in its session (S001-41); null: unknown, or not judged. */
    claim_source: AuditedSource.nullable(),
  })
  .readonly();
export type AuditEntry = z.infer<typeof AuditEntry>;

/** An entry with its position in the chain. Lines of earlier versions lack later fields. */
export const AuditLine = z
  .object({
    ...AuditEntry.def.innerType.shape,
    outputs: OutputHashes.optional(),
    adversarial_policy_decision: JudgedPolicy.nullable().optional(),
    /** SHA-256 of the bytes between the previous line and this one, if a crash truncated a line there. */
    torn_before: z.string().optional(),
    prev: z.string(),
    hash: z.string(),
  })
  .readonly();
export type AuditLine = z.infer<typeof AuditLine>;

export type WrittenLine = { readonly text: string; readonly hash: string };

/**
 * Serialises an entry as the line after the one whose hash is `prev`, without its newline. `hash` is the last field,
 * and covers every byte before it.
 *
 * @param tornBefore Bytes that a crash left between the two lines.
 */
export function writeLine(entry: AuditEntry, prev: string, tornBefore?: Buffer): WrittenLine {
  const torn = tornBefore === undefined ? {} : { torn_before: sha256(tornBefore) };
  const whole = JSON.stringify({ ...entry, ...torn, prev }).replaceAll(PROTO_KEY, '$1"(__proto__)":');
  const body = whole.slice(0, -1);
  const hash = sha256(body);
  return { text: `${body}${HASH_KEY}${hash}"}`, hash };
}

/** Between the hashed bytes and the hash. */
export const HASH_KEY = ',"hash":"';

/** Matches a key: in JSON text, a quote inside a string has a backslash before it. */
export const PROTO_KEY = /([{,])"__proto__":/g;
