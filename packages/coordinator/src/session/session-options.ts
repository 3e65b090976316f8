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
import type { CompressionOptions } from './compression/compression.ts';
import type { FailurePolicy } from './critical-failure.ts';
import type { LedSession } from './led-session.ts';
import type { Finish, RecordedCall } from './recorded-call.ts';
import type { RepairOptions } from './repair-options.ts';
import type { SaveStep } from './session-writer.ts';
import type { SessionStep } from './session-step.ts';
import type { RetryBudget } from '../retry/retry-budgets.ts';
import type { RetryPolicy } from '../retry/retry-delay.ts';
import type { TokenPrices } from './token-cost.ts';

/** What a model is offered at one turn. */
export type TurnOffer = {
  /** In the order in which they are sent. */
  readonly tools: readonly ToolOffer[];
  /** How many the tool filter left out, and the estimated tokens of their definitions. */
  readonly leftOut: number;
  readonly tokensSaved: number;
};

/** An accepted call, as returned by `Coordinator.submit`. */
export type SubmittedCall = {
  readonly commandId: CommandId;
  readonly result: Promise<CommandResult>;
};

/** The circumstances of a call, and the command that it becomes. */
export type SessionCallContext = CallContextInput & { readonly commandId: CommandId };

/** What a session that another process has left continues with. */
export type ResumedSession = {
  readonly step: SessionStep;
  /** What others changed since it was left, a line each. Redacted. */
  readonly changes: () => Promise<readonly string[]>;
  /** The result of a command that was submitted before; null: it was not. Settles when the command has ended. */
  readonly earlierResult: (id: CommandId) => Promise<CommandResult | null>;
};

export type SessionOptions = {
  readonly sessionId: SessionId;
  /** The run it belongs to. */
  readonly runId?: RunId | undefined;
  readonly providerId: ProviderId;
  readonly provider: Provider;
  readonly model: string;
  /** The person's task. */
  readonly task: string;
  /** Default: {@link defaultSystemPrompt}. */
  readonly systemPrompt?: string | undefined;
  /**
   * Tools offered to the model at a turn: mode, settings and the session's own calls may change them between two turns.
   *
   * @param task all that the person wrote to it
   */
  readonly offers: (task: string) => Promise<TurnOffer>;
  /** Whether a think-first field fits the tool, on or off: its calls are counted for comparison. Default: no tool's. */
  readonly isComplex?: ((tool: string) => boolean) | undefined;
  readonly submit: (call: RawCall, context: SessionCallContext) => SubmittedCall;
  /** Stores its steps. Default: it ends with its process. */
  readonly save?: SaveStep | undefined;
  /** Continues a session that another process has left. Default: it begins. */
  readonly resumed?: ResumedSession | undefined;
  /** Requests a command's end; its result comes through `submit`'s promise. */
  readonly cancelCommand: (id: CommandId, reason: string) => unknown;
  readonly events: Pick<EventLog, 'append'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly logger: Logger;
  /** Removes secrets from what goes into the event log and the log; the model's own conversation is unchanged. */
  readonly redact: (text: string) => string;
  readonly trust: Trust;
  /** Further context of every call: its priority, who is asked. */
  readonly context?: Partial<CallContextInput> | undefined;
  /** For one turn, in milliseconds. */
  readonly limits: { readonly firstByteMs: number; readonly idleMs: number; readonly totalMs: number };
  readonly retry: RetryPolicy;
  /** Shared with the retries of its calls. */
  readonly retryBudget: RetryBudget;
  readonly compression: CompressionOptions;
  /** Default: badly written arguments are not repaired. */
  readonly repair?: RepairOptions | undefined;
  /** Turns of the model (S002-16). Default 100. */
  readonly maxIterations?: number | undefined;
  /** Default: no failure ends the session. */
  readonly failurePolicy?: FailurePolicy | undefined;
  /**
   * Asks the person when all turns are used and the model is not done, or after a critical failure: how many more turns
   * it gets; 0 ends the session. Default: 0.
   */
  readonly moreTurns?: ((asked: TurnQuestion) => Promise<number>) | undefined;
  /**
   * Called when the model has given its answer: settles with what it is told next, and with null if the session ends.
   * Default: it ends.
   */
  readonly rest?: ((signal: AbortSignal) => Promise<string | null>) | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Sent only if set: some models accept none. */
  readonly temperature?: number | undefined;
  /** `null`: its cost is unknown, and the budget counts nothing for it. */
  readonly prices: TokenPrices | null;
  /** Shared by all sessions that pay from it. */
  readonly budget: SessionBudget;
  /** Aborted to end turns and calls; running commands complete. Its reason is reported if it is a string. */
  readonly signal?: AbortSignal | undefined;
  /** Whether another process continues it: it ends, and reports nothing. Default: never. */
  readonly isLeft?: (() => boolean) | undefined;
  /** Parent actor. Default: it runs standalone. */
  readonly sessions?: Pick<ActorGroup<LedSession, SessionId>, 'create' | 'add'> | undefined;
};

/** Why a session waits for a person. */
export type TurnQuestion = {
  /** That it may take in all. */
  readonly turns: number;
  /** In one line, the critical failure of a call; absent: its turns are used. */
  readonly failure?: string;
  readonly signal: AbortSignal;
};

/** The result of a session (S002-09). */
export type SessionSummary = {
  readonly finish: Finish;
  /** The model's final text if it finished or refused, otherwise why it ended. */
  readonly message: string;
  /** Turns that the model completed. */
  readonly turns: number;
  /** In call order. */
  readonly calls: readonly RecordedCall[];
  readonly commandIds: readonly CommandId[];
  readonly usage: Usage;
  /** `null` without prices. */
  readonly costUsd: number | null;
  readonly durationMs: number;
};

/** What a person says to a session. */
export type SessionMessage = {
  readonly text: string;
  readonly by: string;
  /** Its turn and its running commands are stopped, so that the model reads it at once. */
  readonly interrupts: boolean;
};

export type SessionHandle = {
  readonly sessionId: SessionId;
  /** Never rejects. */
  readonly finished: Promise<SessionSummary>;
  /** Ends the turn and cancels the unfinished commands of this session; the first reason counts. */
  cancel(reason: string): void;
  /**
   * Adds a message from a person before the next turn. False if there will be none.
   *
   * @throws {UnavailableError} `messages-unread` if 50 wait already
   */
  say(message: SessionMessage): boolean;
  /** Compresses the conversation before the next turn. False if there will be none. */
  compress(by: string): boolean;
  /** The step that it has begun, if its steps are stored. */
  step(): SessionStep | undefined;
  /** Settles when everything so far is stored, such as a message. */
  settled(): Promise<void>;
};
