import type { CommandId, Savings } from '@signalbox/core';

/** A call as the session keeps it, whatever its result (S002-19). */
export type RecordedCall = {
  readonly callId: string;
  readonly tool: string;
  readonly argsText: string;
  /** `null`: it was answered without being submitted. */
  readonly commandId: CommandId | null;
  readonly success: boolean;
  /** The answer given to the model. */
  readonly content: string;
  readonly notes?: readonly string[];
  /** Absent: nothing. */
  readonly saved?: Savings;
  /** Paths that it changed, and those that it only read; absent: none. */
  readonly changed?: readonly string[];
  readonly read?: readonly string[];
  /** It failed, and the session can't continue by itself: why, in one line. */
  readonly critical?: string;
  /** It requests a compression of the conversation, after this turn. */
  readonly compresses?: boolean;
};

/** Why a session ended. */
export type Finish =
  /** The model gave its final answer. */
  | 'finished'
  | 'max_iterations'
  | 'cancelled'
  /** The provider returned no turn. */
  | 'failed'
  /** The model refused. */
  | 'refused'
  /** The money is spent. */
  | 'budget';
