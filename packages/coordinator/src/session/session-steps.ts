import type { CompressionMethod } from '@signalbox/core';
import type { CompressionOutcome } from './compression/compression.ts';
import type { SessionContext } from './session-context.ts';
import type { RecordedCall } from './recorded-call.ts';
import type { SessionStep } from './session-step.ts';
import type { TurnOutcome } from './turn-outcome.ts';

/** The effects of a session; each is one step. None of them throws. */
export type SessionSteps = {
  /** Stores the state before a step; undefined if that is not stored. */
  save(at: SessionStep['at'], context: SessionContext): Promise<void> | undefined;
  /** Continues a session that another process has left; settles with what its model is told, null for nothing. */
  resume(context: SessionContext): Promise<string | null>;
  prepare(context: SessionContext): Promise<void>;
  /** One attempt at one turn. */
  takeTurn(context: SessionContext): Promise<TurnOutcome>;
  /** Returns early if the session is cancelled. */
  backOff(context: SessionContext): Promise<void>;
  /** Submits all open calls at once; resolves when all have their result, in call order. */
  runCalls(context: SessionContext): Promise<readonly RecordedCall[]>;
  /**
   * The model has given its answer. Settles with what it is told next; null: the session ends. The signal aborts if the
   * session continues by itself.
   */
  rest(context: SessionContext, signal: AbortSignal): Promise<string | null>;
  close(context: SessionContext): Promise<void>;
  /**
   * How many more turns the person grants a session that has used its own, or whose call failed critically; 0 ends it.
   */
  extend(context: SessionContext): Promise<number>;
  isBudgetSpent(): boolean;
  /** Whether the conversation is to be compressed before the next turn. */
  isCompressionDue(context: SessionContext): boolean;
  compress(context: SessionContext): Promise<CompressionOutcome>;
};

export type SessionEvent =
  | { readonly type: 'cancel.requested'; readonly reason: string }
  | { readonly type: 'message.said'; readonly text: string }
  | { readonly type: 'compression.requested'; readonly method: CompressionMethod; readonly reason: string };
