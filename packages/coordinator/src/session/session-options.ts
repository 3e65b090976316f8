import type {
  CallContextInput,
  Clock,
  CommandId,
  CommandResult,
  EventLog,
  Logger,
  Provider,
  ProviderId,
  RandomBytes,
  RawCall,
  RunId,
  SessionId,
  ToolOffer,
  Trust,
  Usage,
} from '@signalbox/core';
import type { ActorGroup } from '../actors/actor-group.ts';
import type { SessionBudget } from './budget.ts';
import type { LedSession } from './led-session.ts';
import type { RetryPolicy } from './retry-delay.ts';
import type { TokenPrices } from './token-cost.ts';

/** A call that was taken in. `Coordinator.submit` answers so. */
export type SubmittedCall = {
  readonly commandId: CommandId;
  readonly result: Promise<CommandResult>;
};

export type SessionOptions = {
  readonly sessionId: SessionId;
  /** The run that it belongs to. */
  readonly runId?: RunId | undefined;
  readonly providerId: ProviderId;
  readonly provider: Provider;
  readonly model: string;
  /** What the person wants done. */
  readonly task: string;
  /** Default: {@link defaultSystemPrompt}. */
  readonly systemPrompt?: string | undefined;
  /** What the model is offered at a turn: mode and settings may change between two. */
  readonly offers: () => Promise<readonly ToolOffer[]>;
  readonly submit: (call: RawCall, context: CallContextInput) => SubmittedCall;
  /** Asks for a command's end; its result comes through `submit`'s promise. */
  readonly cancelCommand: (id: CommandId, reason: string) => unknown;
  readonly events: Pick<EventLog, 'append'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** Takes secrets out of what goes into the event log and the log; the model's own conversation is not touched. */
  readonly redact: (text: string) => string;
  readonly trust: Trust;
  /** More of every call's context: its priority, who is asked. */
  readonly context?: Partial<CallContextInput> | undefined;
  /** Of one turn, in milliseconds. */
  readonly limits: { readonly firstByteMs: number; readonly idleMs: number; readonly totalMs: number };
  readonly retry: RetryPolicy;
  /** Turns of the model (S002-16). Default 100. */
  readonly maxIterations?: number | undefined;
  /** Asks for more turns when all are used and the model is not done; 0 ends the session. Default: 0. */
  readonly moreTurns?:
    | ((used: { readonly turns: number; readonly signal: AbortSignal }) => Promise<number>)
    | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Sent only when set: some models accept none. */
  readonly temperature?: number | undefined;
  /** `null`: its cost is not known, and the budget counts nothing for it. */
  readonly prices: TokenPrices | null;
  /** Shared by all sessions that pay from it. */
  readonly budget: SessionBudget;
  /** Abort for: no more turns and calls; commands that run go on to their end. Its reason is told where it is a text. */
  readonly signal?: AbortSignal | undefined;
  /** Whose child it becomes. Default: it runs by itself. */
  readonly sessions?: Pick<ActorGroup<LedSession, SessionId>, 'create' | 'add'> | undefined;
};

/** Why a session ended. */
export type Finish =
  /** The model said its last word. */
  | 'finished'
  | 'max_iterations'
  | 'cancelled'
  /** The provider gave no turn. */
  | 'failed'
  /** The model would not do it. */
  | 'refused'
  /** The money is spent. */
  | 'budget';

/** A call as the session keeps it, whatever became of it (S002-19). */
export type RecordedCall = {
  readonly callId: string;
  readonly tool: string;
  readonly argsText: string;
  /** `null`: it was answered without being submitted. */
  readonly commandId: CommandId | null;
  readonly success: boolean;
  /** What the model was told. */
  readonly content: string;
  readonly notes?: readonly string[];
};

/** What a session came to (S002-09). */
export type SessionSummary = {
  readonly finish: Finish;
  /** The model's last words when it finished or refused, else why it ended. */
  readonly message: string;
  /** Those that the model ended. */
  readonly turns: number;
  /** In the order they were made. */
  readonly calls: readonly RecordedCall[];
  readonly commandIds: readonly CommandId[];
  readonly usage: Usage;
  /** `null` without prices. */
  readonly costUsd: number | null;
  readonly durationMs: number;
};

export type SessionHandle = {
  readonly sessionId: SessionId;
  /** Never rejects. */
  readonly finished: Promise<SessionSummary>;
  /** Ends the turn and cancels the commands of this session that are not done; the first reason counts. */
  cancel(reason: string): void;
  /** Adds a message of the person's before the next turn. False when there will be none. */
  say(text: string): boolean;
};
