import {
  addUsage,
  type Message,
  NO_USAGE,
  type ProviderId,
  type StopReason,
  type ToolCall,
  UnavailableError,
  type Usage,
} from '@signalbox/core';
import { type CompressionRequest, KEPT_TURNS } from './compression/compression.ts';
import { type ContextSize, sizeAfterTurn } from './compression/context-size.ts';
import type { Finish, RecordedCall } from './recorded-call.ts';
import { callsOf, textOf, type TurnOutcome } from './turn-outcome.ts';
import { unrunCall, type UnrunReason } from './unrun-calls.ts';

/** States of a session in which something is going on; `done`: it is over. */
export const STEP_NAMES = [
  'preparing',
  'extending',
  'compressing',
  'shortening',
  'thinking',
  'backingOff',
  'sorting',
  'resting',
  'calling',
  'closing',
  'done',
] as const;
export type StepName = (typeof STEP_NAMES)[number];

/** The whole state of a session. Plain data, so that a session could be resumed from any stored step. */
export type SessionContext = {
  readonly maxTurns: number;
  /** The conversation, as sent to the provider. */
  readonly messages: readonly Message[];
  readonly size: ContextSize;
  /** A compression to make before the next turn. */
  readonly compressionRequest: CompressionRequest | null;
  /** Number of ended turns at the last compression; null: there was none. */
  readonly compressedAt: number | null;
  /** The last turn that was refused as too long and is repeated after a compression; 0: none. */
  readonly shortenedTurn: number;
  /** Messages to the session since the last turn began. */
  readonly inbox: readonly string[];
  /** The current turn, from 1. */
  readonly turn: number;
  readonly attempt: number;
  readonly endedTurns: number;
  readonly lastTurn: TurnOutcome | null;
  /** Calls of the last turn that are not answered yet. */
  readonly openCalls: readonly ToolCall[];
  readonly calls: readonly RecordedCall[];
  readonly usage: Usage;
  /** Over all turns with a known cost. */
  readonly costUsd: number | null;
  /** Of a call of the last turn, in one line: a person decides whether the session continues. */
  readonly criticalFailure: string | null;
  readonly cancelReason: string | null;
  readonly ending: { readonly finish: Finish; readonly message: string } | null;
};

export function newContext(
  system: string,
  task: string,
  { maxTurns }: Readonly<{ maxTurns: number }>,
): SessionContext {
  return {
    maxTurns,
    messages: [
      { role: 'system', text: system },
      { role: 'user', text: task },
    ],
    size: { tokens: 0, messages: 0 },
    compressionRequest: null,
    compressedAt: null,
    shortenedTurn: 0,
    inbox: [],
    turn: 0,
    attempt: 0,
    endedTurns: 0,
    lastTurn: null,
    openCalls: [],
    calls: [],
    usage: NO_USAGE,
    costUsd: null,
    criticalFailure: null,
    cancelReason: null,
    ending: null,
  };
}

/** Within the turns that the last compression kept, another one would find nothing to remove. */
export function isCompressedLately({ compressedAt, endedTurns }: SessionContext): boolean {
  return compressedAt !== null && endedTurns < compressedAt + KEPT_TURNS;
}

const REQUESTED_BY_MODEL: CompressionRequest = { method: 'autonomous', reason: 'requested by its model' };

/** Steps after which the next turn does not begin anew, so that a note goes right into the conversation. */
const MID_TURN: ReadonlySet<StepName> = new Set(['thinking', 'backingOff', 'shortening']);

/** A session that rests is not woken up by a note of ours: that would cost a turn. */
export function noteResumed(
  context: SessionContext,
  { at, note }: { readonly at: StepName; readonly note: string | null },
): Partial<SessionContext> {
  if (note === null) return {};
  if (MID_TURN.has(at)) return { messages: [...context.messages, { role: 'user', text: note }] };
  const isOver = at === 'resting' || (at === 'sorting' && context.openCalls.length === 0);
  return isOver ? {} : { inbox: [...context.inbox, note] };
}

/** Messages that wait for the next turn; a session that takes none must not collect them without end. */
const MAX_UNREAD = 50;

/** @throws {UnavailableError} `messages-unread` if 50 messages wait to be read */
export function requireRoom({ inbox }: Pick<SessionContext, 'inbox'>, provider: ProviderId): void {
  if (inbox.length < MAX_UNREAD) return;
  const message = `Cannot say more to "${provider}": it has not read the last ${MAX_UNREAD} messages yet`;
  throw new UnavailableError('messages-unread', message, { next: ['try again after its next turn'] });
}

/** Messages received since then go before the new turn. */
export function beginTurn(context: SessionContext): Partial<SessionContext> {
  const received = context.inbox.map((text): Message => ({ role: 'user', text }));
  return { turn: context.turn + 1, attempt: 1, messages: [...context.messages, ...received], inbox: [] };
}

export function noteTurn(context: SessionContext, outcome: TurnOutcome): Partial<SessionContext> {
  if (outcome.kind !== 'ended') return { lastTurn: outcome };
  const { assistant, usage, costUsd } = outcome;
  const messages = [...context.messages, assistant];
  return {
    lastTurn: outcome,
    endedTurns: context.endedTurns + 1,
    messages,
    size: sizeAfterTurn(messages, usage),
    openCalls: callsOf(assistant),
    usage: addUsage(context.usage, usage),
    costUsd: costUsd === null ? context.costUsd : (context.costUsd ?? 0) + costUsd,
  };
}

/** The answers to all open calls, in call order: one message, one result for each id. */
export function answerCalls(
  context: SessionContext,
  answers: readonly RecordedCall[],
): Partial<SessionContext> {
  if (answers.length === 0) return { openCalls: [] };
  const results = answers.map(({ callId, content, success, notes }) => ({
    callId,
    text: content,
    isError: !success,
    ...(notes === undefined ? {} : { notes }),
  }));
  const critical = answers.find(({ critical: failure }) => failure !== undefined)?.critical;
  const asked = answers.some(({ compresses }) => compresses === true) && !isCompressedLately(context);
  return {
    openCalls: [],
    ...(asked ? { compressionRequest: REQUESTED_BY_MODEL } : {}),
    ...(critical === undefined ? {} : { criticalFailure: critical }),
    calls: [...context.calls, ...answers],
    messages: [...context.messages, { role: 'tool', results }],
  };
}

export function answerUnrun(context: SessionContext, reason: UnrunReason): Partial<SessionContext> {
  return answerCalls(
    context,
    context.openCalls.map((call) => unrunCall(call, reason)),
  );
}

/** Shown for a session that failed internally. */
export const BROKEN = 'The session failed inside Signalbox';

/** Ends the session, with answers to all open calls. */
export function endWith(
  context: SessionContext,
  finish: Finish,
  { message }: Readonly<{ message: string }>,
): Partial<SessionContext> {
  const reason = finish === 'refused' ? 'refused' : 'cancelled';
  return { ...answerUnrun(context, reason), ending: { finish, message } };
}

/** A person has granted more turns, or lets the session continue after a critical failure. */
export function extended(
  { maxTurns, criticalFailure }: SessionContext,
  turns: number,
): Partial<SessionContext> {
  return criticalFailure === null ? { maxTurns: maxTurns + turns } : { criticalFailure: null };
}

/** Nobody has: it ends unfinished. */
export function endUnextended(context: SessionContext): Partial<SessionContext> {
  const { maxTurns, criticalFailure } = context;
  if (criticalFailure !== null)
    return endWith(context, 'failed', { message: `Stopped, since a call failed: ${criticalFailure}` });
  return endWith(context, 'max_iterations', {
    message: `Stopped after ${maxTurns} turn${maxTurns === 1 ? '' : 's'}, before it had finished (run --turns N, or setting agents.tool_execution.max_iterations)`,
  });
}

/** The model's text of the last turn. */
export function lastWords(context: SessionContext): string {
  return context.lastTurn?.kind === 'ended' ? textOf(context.lastTurn.assistant) : '';
}

/** Why the model ended its last turn; null if it did not end. */
export function stopOf({ lastTurn }: SessionContext): StopReason | null {
  return lastTurn?.kind === 'ended' ? lastTurn.stop : null;
}

/** Ends a session whose turn failed for good. */
export function endFailed(context: SessionContext, outcome: TurnOutcome | null): Partial<SessionContext> {
  if (outcome?.kind !== 'failed') return {};
  return endWith(context, outcome.error === 'Refused' ? 'refused' : 'failed', { message: outcome.message });
}
