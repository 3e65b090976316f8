import * as z from 'zod';
import { CommandId, ProviderId, RunId, SessionId } from './id.ts';
import { Usage } from './provider.ts';
import { Savings } from './savings.ts';

/**
 * What started a compression: the size of the conversation, a person, or the model itself by `compress_context`
 * (S001-57).
 */
export const CompressionMethod = z.enum(['triggered', 'manual', 'autonomous']);
export type CompressionMethod = z.infer<typeof CompressionMethod>;

/** What a model is asked for outside the turns of a session. */
export const ModelRequestPurpose = z.enum(['compress', 'reformat', 'judge', 'embed']);
export type ModelRequestPurpose = z.infer<typeof ModelRequestPurpose>;

/** An event of a session, a provider at work on a task (S004-21's names for its calls). */
export const sessionEvents = [
  z.strictObject({
    type: z.literal('session_started'),
    sessionId: SessionId,
    provider: ProviderId,
    model: z.string(),
    task: z.string(),
    /** Absent: started alone, outside a run. */
    runId: RunId.optional(),
    /** Tokens that its model's context holds; null: unknown. Absent in events of older versions. */
    contextTokens: z.int().nullable().optional(),
  }),
  z.strictObject({
    type: z.literal('turn_started'),
    sessionId: SessionId,
    provider: ProviderId,
    turn: z.int().min(1),
    attempt: z.int().min(1),
  }),
  z.strictObject({
    type: z.literal('turn_ended'),
    sessionId: SessionId,
    provider: ProviderId,
    turn: z.int(),
    says: z.string(),
    calls: z.int().min(0),
    usage: Usage,
    costUsd: z.number().nullable(),
    /** Tools that the filter left out, and the estimated tokens of their definitions; absent: none. */
    filter: z.strictObject({ leftOut: z.int().min(1), tokensSaved: z.int().min(0) }).optional(),
  }),
  z.strictObject({
    type: z.literal('turn_failed'),
    sessionId: SessionId,
    provider: ProviderId,
    turn: z.int(),
    attempt: z.int(),
    kind: z.string(),
    message: z.string(),
    retryInMs: z.number().nullable(),
  }),
  z.strictObject({
    type: z.literal('tool_call_start'),
    sessionId: SessionId,
    provider: ProviderId,
    callId: z.string(),
    tool: z.string(),
    commandId: CommandId,
  }),
  z.strictObject({
    type: z.literal('tool_call_result'),
    sessionId: SessionId,
    provider: ProviderId,
    callId: z.string(),
    commandId: CommandId,
    success: z.boolean(),
  }),
  /** What the calls of its last turn saved; absent: nothing. */
  z.strictObject({
    type: z.literal('calls_saved'),
    sessionId: SessionId,
    provider: ProviderId,
    saved: Savings,
  }),
  z.strictObject({
    type: z.literal('session_ended'),
    sessionId: SessionId,
    provider: ProviderId,
    /** `finished`, `max_iterations`, `cancelled`, `failed`, `refused`, `budget`. */
    finish: z.string(),
    message: z.string(),
    turns: z.int(),
    usage: Usage,
    costUsd: z.number().nullable(),
  }),
  /** Requirements of tools did not count for an offer: otherwise it would have had no tool to call (S001-89). */
  z.strictObject({
    type: z.literal('requirements_lifted'),
    sessionId: SessionId,
    provider: ProviderId,
    tools: z.array(z.string()),
  }),
  /** A person said something to the session; its model reads it at its next turn. */
  z.strictObject({
    type: z.literal('message_said'),
    sessionId: SessionId,
    provider: ProviderId,
    /** Redacted. */
    text: z.string(),
    by: z.string(),
    /** Its turn and its running commands were stopped for this. */
    interrupts: z.boolean(),
  }),
  /** Another process had left the session, and this one goes on with it. */
  z.strictObject({
    type: z.literal('session_resumed'),
    sessionId: SessionId,
    provider: ProviderId,
    /** The step that it had begun: `thinking`, `calling`, … */
    from: z.string(),
    /** How many of the files that it has read were changed by others meanwhile. */
    changed: z.int().min(0),
  }),
  /** Another process had left the session, and it goes on once a client has brought what it needs. */
  z.strictObject({
    type: z.literal('session_waiting'),
    sessionId: SessionId,
    provider: ProviderId,
    /** In words, with the name of the variable; never its value. */
    needs: z.string(),
  }),
  /** Its model has given its answer; the session waits for the others of its run, and for the check. */
  z.strictObject({ type: z.literal('session_resting'), sessionId: SessionId, provider: ProviderId }),
  /** The session has used its turns and is not done, or a call failed critically: it waits for an answer. */
  z.strictObject({
    type: z.literal('turns_requested'),
    sessionId: SessionId,
    provider: ProviderId,
    turns: z.int(),
    /** The critical failure, in one line, redacted; absent: the turns are used. */
    failure: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('turns_granted'),
    sessionId: SessionId,
    provider: ProviderId,
    /** How many more turns; 0 ends the session. */
    turns: z.int().min(0),
    by: z.string(),
  }),
  /** Its conversation was to be compressed; emitted after the attempt, before the next turn. */
  z.strictObject({
    type: z.literal('context_compressed'),
    sessionId: SessionId,
    provider: ProviderId,
    /** Number of turns begun before it. */
    turn: z.int().min(0),
    method: CompressionMethod,
    /**
     * `summary`: earlier turns are replaced by a summary; `cut`: none could be made, and the results of the oldest
     * calls were removed; `none`: nothing could be removed.
     */
    how: z.enum(['summary', 'cut', 'none']),
    /** Why, in words: `94 % of its context is used`, `requested by ana`. */
    reason: z.string(),
    /** Redacted; empty without one. */
    summary: z.string(),
    /** Messages removed from the conversation. */
    removed: z.int().min(0),
    /** Estimated size of the next request. */
    beforeTokens: z.int().min(0),
    afterTokens: z.int().min(0),
  }),
  /** A single request to a model outside the session's turns. */
  z.strictObject({
    type: z.literal('model_request_ended'),
    sessionId: SessionId,
    /** The session's. */
    provider: ProviderId,
    purpose: ModelRequestPurpose,
    /** Who was asked: the session's own provider, or the one that the settings name for the purpose. */
    asked: ProviderId,
    model: z.string(),
    success: z.boolean(),
    /** Why it failed; empty otherwise. */
    message: z.string(),
    durationMs: z.number(),
    usage: Usage,
    costUsd: z.number().nullable(),
  }),
] as const;
