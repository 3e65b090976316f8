import { CommandId, CompressionMethod, type Json, Message, Savings, ToolCall, Usage } from '@signalbox/core';
import * as z from 'zod';
import { type SessionContext, STEP_NAMES, type StepName } from './session-context.ts';

const TurnOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('ended'),
    stop: z.enum(['end', 'tools', 'length', 'refused', 'paused']),
    assistant: Message,
    usage: Usage,
    costUsd: z.number().nullable(),
  }),
  z.object({
    kind: z.literal('failed'),
    error: z.string(),
    message: z.string(),
    retryInMs: z.number().nullable(),
  }),
  z.object({ kind: z.literal('interrupted') }),
]);

const RecordedCall = z.object({
  callId: z.string(),
  tool: z.string(),
  argsText: z.string(),
  commandId: CommandId.nullable(),
  success: z.boolean(),
  content: z.string(),
  notes: z.array(z.string()).optional(),
  saved: Savings.optional(),
  changed: z.array(z.string()).optional(),
  read: z.array(z.string()).optional(),
  critical: z.string().optional(),
  compresses: z.boolean().optional(),
});

const Context = z.object({
  maxTurns: z.int(),
  messages: z.array(Message),
  size: z.object({ tokens: z.number(), messages: z.int() }),
  compressionRequest: z.object({ method: CompressionMethod, reason: z.string() }).nullable(),
  compressedAt: z.int().nullable(),
  shortenedTurn: z.int(),
  inbox: z.array(z.string()),
  turn: z.int(),
  attempt: z.int(),
  endedTurns: z.int(),
  lastTurn: TurnOutcome.nullable(),
  openCalls: z.array(ToolCall),
  calls: z.array(RecordedCall),
  usage: Usage,
  costUsd: z.number().nullable(),
  criticalFailure: z.string().nullable(),
  cancelReason: z.string().nullable(),
  ending: z
    .object({
      finish: z.enum(['finished', 'max_iterations', 'cancelled', 'failed', 'refused', 'budget']),
      message: z.string(),
    })
    .nullable(),
});

const Step = z.object({
  at: z.enum(STEP_NAMES),
  context: Context,
  /** How long the session has existed, without the time in which no process led it. */
  elapsedMs: z.number(),
});

/** The step that a session has begun, and its state before it: enough to do it again. */
export type SessionStep = {
  readonly at: StepName;
  readonly context: SessionContext;
  readonly elapsedMs: number;
};

/** @throws {ZodError} for one that another version has written differently */
export function sessionStepOf(stored: Json): SessionStep {
  return Step.parse(stored) as SessionStep;
}

/** Of the answer to a call, what a later summary of the conversation reads. */
const MAX_CONTENT = 2000;

/**
 * Converts steps for storing: without secrets, except in calls that have no result yet, which must still run as their
 * model wrote them. A vendor's payload with a secret is left out, since a signature may cover it.
 */
export function createStepConverter(redact: (text: string) => string): (step: SessionStep) => Json {
  /** Messages never change, and a conversation of hundreds is stored at each step. */
  const redacted = new WeakMap<Message, Message>();

  function ofMessage(message: Message): Message {
    const known = redacted.get(message) ?? redactedMessage(message, redact);
    redacted.set(message, known);
    return known;
  }

  return ({ at, context, elapsedMs }) => {
    const { messages, inbox, lastTurn, calls, ending } = context;
    const stored = {
      at,
      elapsedMs,
      context: {
        ...context,
        messages: messages.map(ofMessage),
        inbox: inbox.map(redact),
        lastTurn:
          lastTurn?.kind === 'ended' ? { ...lastTurn, assistant: ofMessage(lastTurn.assistant) } : lastTurn,
        calls: calls.map((call) => ({
          ...call,
          argsText: redact(call.argsText).slice(0, MAX_CONTENT),
          content: call.content.slice(0, MAX_CONTENT),
        })),
        ending: ending === null ? null : { ...ending, message: redact(ending.message) },
      },
    };
    return JSON.parse(JSON.stringify(stored)) as Json;
  };
}

function redactedMessage(message: Message, redact: (text: string) => string): Message {
  if (message.role === 'tool') return message;
  if (message.role !== 'assistant') return { ...message, text: redact(message.text) };
  const { native, ...rest } = message;
  const parts = message.parts.map((part) =>
    part.kind === 'call'
      ? { ...part, call: { ...part.call, argsText: redact(part.call.argsText) } }
      : { ...part, text: redact(part.text) },
  );
  const payload = JSON.stringify(native ?? null);
  return redact(payload) === payload ? { ...rest, parts, native } : { ...rest, parts };
}
