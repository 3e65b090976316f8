import * as z from 'zod';
import type { JsonObject } from './json.ts';

/** Tokens of one turn. `inputTokens` includes cached ones. */
export const Usage = z
  .strictObject({
    inputTokens: z.int().min(0),
    cachedInputTokens: z.int().min(0),
    cacheWriteTokens: z.int().min(0),
    outputTokens: z.int().min(0),
    /** Part of `outputTokens`. */
    reasoningTokens: z.int().min(0),
  })
  .readonly();
export type Usage = z.infer<typeof Usage>;

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}

/** A call in an assistant's turn. The arguments stay text until the coordinator has validated them. */
export const ToolCall = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    argsText: z.string(),
    /** Set where thoughts were removed from the arguments; `only`: nothing else was there (S001-68, S001-69). */
    thoughts: z.enum(['some', 'only']).optional(),
  })
  .readonly();
export type ToolCall = z.infer<typeof ToolCall>;

/** One part of an assistant's turn, in its order. */
export const AssistantPart = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }).readonly(),
  z.strictObject({ kind: z.literal('reasoning'), text: z.string() }).readonly(),
  z.strictObject({ kind: z.literal('call'), call: ToolCall }).readonly(),
]);
export type AssistantPart = z.infer<typeof AssistantPart>;

export const AssistantMessage = z
  .strictObject({
    role: z.literal('assistant'),
    parts: z.array(AssistantPart).readonly(),
    /** The provider's own payload (signatures, `reasoning_content`), replayed verbatim. */
    native: z.unknown().optional(),
  })
  .readonly();
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export const ToolResult = z
  .strictObject({
    callId: z.string(),
    text: z.string(),
    isError: z.boolean(),
    /** Our own notes on the call, which are not part of its text. */
    notes: z.array(z.string()).readonly().optional(),
  })
  .readonly();
export type ToolResult = z.infer<typeof ToolResult>;

export const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), text: z.string() }).readonly(),
  z.strictObject({ role: z.literal('user'), text: z.string() }).readonly(),
  AssistantMessage,
  /** All results of one turn, in call order. */
  z.strictObject({ role: z.literal('tool'), results: z.array(ToolResult).readonly() }).readonly(),
]);
export type Message = z.infer<typeof Message>;

/** A tool as offered to a model. */
export type ToolOffer = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, `io: 'input'`. */
  readonly inputSchema: JsonObject;
};

export type TurnRequest = {
  readonly model: string;
  readonly messages: readonly Message[];
  /** Sorted by name and the same bytes at every turn, or the providers' prompt caches are lost. */
  readonly tools: readonly ToolOffer[];
  readonly maxOutputTokens?: number;
  /** Some models accept none at all: sent only when set. */
  readonly temperature?: number;
};

export type TurnLimits = {
  readonly signal: AbortSignal;
  readonly firstByteMs: number;
  /** Longest silence between two pieces of a stream. */
  readonly idleMs: number;
  readonly totalMs: number;
};

/** `length`: cut at the output limit; calls of such a turn are never run. */
export type StopReason = 'end' | 'tools' | 'length' | 'refused' | 'paused';

export type TurnEvent =
  | { readonly kind: 'text'; readonly delta: string }
  | { readonly kind: 'reasoning'; readonly delta: string }
  | { readonly kind: 'call-start'; readonly id: string; readonly name: string }
  | { readonly kind: 'call-args'; readonly id: string; readonly delta: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  | {
      readonly kind: 'done';
      readonly stop: StopReason;
      readonly assistant: AssistantMessage;
      readonly usage: Usage;
    };

/** An LLM behind an API. */
export interface Provider {
  /** Its name in `signalbox.yaml`. */
  readonly id: string;
  /**
   * Streams one turn. `done` is the last event, or the iteration throws. Never retries by itself: the session decides,
   * audits and budgets that.
   *
   * @throws {ProviderError}
   */
  stream(request: TurnRequest, limits: TurnLimits): AsyncIterable<TurnEvent>;
}
