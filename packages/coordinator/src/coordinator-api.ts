import type { AuditMismatch } from './audit/check-audit.ts';
import type {
  Approval,
  Approver,
  CallContext,
  CallContextInput,
  CallHash,
  CallPreview,
  CommandFilter,
  CommandId,
  CommandRecord,
  CommandResult,
  Failure,
  ForgottenCommand,
  Json,
  Mode,
  ProviderId,
  PublishedStatus,
  RawCall,
  SchedulerSnapshot,
  SessionId,
  ToolRegistry,
} from '@signalbox/core';
import type { CancelMode } from './cancel-mode.ts';
import type { OfferService } from './offer/offer-service.ts';
import type { RetryBudget } from './retry/retry-budgets.ts';
import type { ShownOutputs } from './output/shown-outputs.ts';
import type { ResultCache } from './reuse/kept-results.ts';
import type { Recovery } from './recovery/recovery.ts';
import type { ActorSnapshotTree } from './actors/actor-tree.ts';
import type { WatchedSource } from './actors/settings-sources.ts';
import type { SessionMessage, SessionOptions } from './session/session-options.ts';

/** An accepted call: its id, its current status, and the promise of its one result. */
export type Submitted = {
  readonly commandId: CommandId;
  /** Its status at this moment. */
  readonly status: PublishedStatus;
  /** The whole record at this moment. */
  readonly record: CommandRecord;
  /** Resolves when it first stops moving: it waits for a person or in the queue, runs, or is done. */
  readonly resting: Promise<PublishedStatus>;
  /** Never rejects: denials, handler crashes and cancels are results too. */
  readonly result: Promise<CommandResult>;
};

export type CancelAnswer =
  /** It had not started and is done now. */
  | { readonly kind: 'cancelled' }
  /** Its process is being stopped; its result follows when it is dead. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'already-done'; readonly record: CommandRecord }
  | { readonly kind: 'unknown' };

/** A person's answer to a pending approval. */
export type ApprovalAnswer =
  | { readonly kind: 'approve' }
  | {
      readonly kind: 'deny';
      readonly reason?: string;
      /** Also ends its session: no new turns and calls. Default: the session continues. */
      readonly stopsSession?: boolean;
    }
  /** In words, for a question; at most 4 KiB. */
  | { readonly kind: 'answer'; readonly text: string }
  /** More time to answer, in milliseconds; decides nothing. */
  | { readonly kind: 'extend'; readonly ms: number }
  /** Other arguments for the same tool; judged again before anything is granted. */
  | {
      readonly kind: 'modify';
      readonly args: Readonly<Record<string, unknown>>;
      /**
       * Hash of the approval request that `judge` returned for these arguments: if it differs by now, nothing is
       * decided.
       */
      readonly shown: CallHash;
    };

export type AnswerOutcome =
  | { readonly kind: 'granted'; readonly record: CommandRecord }
  | {
      readonly kind: 'refused';
      readonly record: CommandRecord;
      /** Set if it was requested. False if no coordinator leads its session: it is over, or an agent's own. */
      readonly sessionStopped?: boolean;
    }
  /** The question has its answer, which is the result of its call. */
  | { readonly kind: 'answered'; readonly record: CommandRecord }
  /** Its expiry was pushed back. */
  | { readonly kind: 'extended'; readonly record: CommandRecord }
  /** The approval had expired: the next identical call of that provider uses the answer. */
  | { readonly kind: 'late'; readonly record: CommandRecord }
  /** The approval counts, and one more person must approve. */
  | { readonly kind: 'counted'; readonly record: CommandRecord }
  /** This person has approved already, and another one must. */
  | { readonly kind: 'same-person'; readonly record: CommandRecord }
  /** These names changed since the request: nothing was decided, and approval is requested again. */
  | { readonly kind: 'files-changed'; readonly paths: readonly string[]; readonly record: CommandRecord }
  | { readonly kind: 'already-decided'; readonly approval: Approval }
  /** It is not the call that the person saw. */
  | { readonly kind: 'changed'; readonly callHash: CallHash }
  /** The changed call can't be approved: blocked, outside the workspace, not valid. */
  | { readonly kind: 'not-approvable'; readonly failure: Failure }
  | { readonly kind: 'unknown' };

export type ApprovalService = {
  /** By remaining time, shortest first. */
  pending(): Promise<readonly CommandRecord[]>;
  /**
   * The first denial counts, and the first approval, or the second if two are required. `expect` is the hash of the
   * call that was shown.
   */
  answer(
    id: CommandId,
    answer: ApprovalAnswer,
    options: Readonly<{ by: Approver; expect: CallHash }>,
  ): Promise<AnswerOutcome>;
  /** The verdict on a changed call; decides nothing. */
  judge(id: CommandId, args: Readonly<Record<string, unknown>>): Promise<CommandRecord | Failure>;
  /** What a pending call would do, redacted; null if there is no such call. Decides and runs nothing. */
  preview(id: CommandId): Promise<CallPreview | null>;
};

/** Rules that a person creates while a session is running, for that session only. */
export type SessionRuleService = {
  /**
   * Adds an allow rule, written as in `rules:`, to the session of that command. It applies at once and ends with the
   * session; what is denied, dangerous or blocked stays so.
   *
   * @throws {UsageError} `invalid-rule`, `rule-exists`, `unknown-id`
   */
  add(id: CommandId, rule: Json): Promise<{ readonly rule: string; readonly session: SessionId }>;
  /** False if no session has a rule of that name. */
  remove(rule: string): Promise<boolean>;
};

/** Totals of one provider (R3). */
export type ProviderTotals = CommandNumbers & { readonly provider: ProviderId };

/** Calls that the utility gate skipped, or would have skipped, and the estimated tokens of their answers. */
export type UtilityNumbers = Readonly<
  Record<'skipped' | 'inShadow', { readonly calls: number; readonly tokens: number }>
>;

/** How many calls there were, and how many had invalid arguments. */
export type ArgumentNumbers = { readonly calls: number; readonly invalid: number };

/** Totals of commands that have ended. */
export type CommandNumbers = {
  readonly commands: number;
  readonly completed: number;
  readonly failed: number;
  readonly denied: number;
  readonly cancelled: number;
  /** Mean duration of commands that ran. */
  readonly meanMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly waitedMs: number;
  readonly approvalMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
  /** Of the kept commands: those answered by an earlier command's result, and how long those had run. */
  readonly reused: number;
  readonly savedMs: number;
  /** Estimated, by filters of outputs. */
  readonly savedTokens: number;
  /** Calls with a path or an id that their model may have made up. */
  readonly suspects: number;
  readonly utility: UtilityNumbers;
  /** Calls of tools with a complex schema, by whether the model thought before it wrote the arguments (S001-66). */
  readonly complexCalls: Readonly<Record<'withThoughts' | 'without', ArgumentNumbers>>;
  /** Most frequent first, at most 5: `read_file`, 11. */
  readonly mostUsed: readonly { readonly tool: string; readonly commands: number }[];
};

/** Totals of the commands submitted in one interval. */
export type TimelineBucket = {
  /** Start of the interval, epoch milliseconds. */
  readonly at: number;
  readonly commands: number;
  readonly completed: number;
  readonly failed: number;
  readonly denied: number;
  readonly cancelled: number;
  /** Of commands that ran; 0 if none did. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Longest wait of one of them, in the queue and for a person. */
  readonly longestWaitMs: number;
  readonly longestApprovalMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
};

export type Timeline = {
  readonly bucketMs: number;
  /** Oldest first, without gaps. */
  readonly buckets: readonly TimelineBucket[];
  /** Most frequent first, at most 10: `bash npm test`. */
  readonly mostUsed: readonly {
    readonly title: string;
    readonly commands: number;
    readonly failed: number;
    readonly medianMs: number;
  }[];
};

/** Why commands needed approval, and the answers; pending ones are counted in `asked` only. */
export type QuestionStats = {
  /** The rule that required approval. */
  readonly rule: string;
  /** Without the parts that vary between calls. */
  readonly reason: string;
  readonly asked: number;
  readonly approved: number;
  readonly denied: number;
  readonly expired: number;
  readonly cancelled: number;
};

/** The one permanent answer that would have avoided the most approvals. */
export type RuleSuggestion = {
  readonly saves: number;
  /** Approvals in total. */
  readonly asked: number;
} & (
  | {
      readonly kind: 'network';
      readonly profile: 'packages' | 'remotes';
      /** The line that needed it most often. */
      readonly example: string;
    }
  | { readonly kind: 'rule'; readonly line: string }
);

/** The outcomes of approvals, and the file changed by most commands. */
export type AnswerStats = {
  readonly approvals: {
    readonly granted: number;
    readonly refused: number;
    readonly expired: number;
    readonly cancelled: number;
    /** Null if there was no answer yet. */
    readonly medianAnswerMs: number | null;
  };
  /** Most frequent first. */
  readonly questions: readonly QuestionStats[];
  /** Null if none would have avoided two. */
  readonly remedy: RuleSuggestion | null;
  /** Null if nothing was changed. */
  readonly busiestFile: { readonly path: string; readonly changes: number } | null;
};

export type Monitor = {
  /** Newest first; the last 1,000 commands are kept (R4). */
  history(filter: CommandFilter): Promise<readonly CommandRecord[]>;
  /** Over the kept history from `since` (epoch ms) on; by default all of it. */
  stats(since?: number): Promise<readonly ProviderTotals[]>;
  /** Answers and most changed file, over the same commands and unfinished ones. */
  answers(since?: number): Promise<AnswerStats>;
  /** Over the kept history, in equal parts: `from` and `to` in epoch ms, `to` after `from`; at least one bucket. */
  timeline(wanted: {
    readonly from: number;
    readonly to: number;
    readonly buckets: number;
    readonly provider?: ProviderId;
  }): Promise<Timeline>;
};

export type ModeState = {
  readonly mode: Mode;
  readonly since: number;
  readonly by: string;
  readonly reason: string;
  /** Set for a timed mode: when it ends (epoch ms), and the mode that comes back then. */
  readonly back?: { readonly at: number; readonly to: Mode };
};

/** The output of a command. */
export type CommandOutput = {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  /** Files that hold the full text, while they exist. */
  readonly spillFiles: { readonly stdout?: string | undefined; readonly stderr?: string | undefined };
};

/** The single entry point of every tool call. */
export type PrioritizeAnswer = 'prioritized' | 'not-waiting';

export type Coordinator = {
  /** Mismatches between the audit log and the records at the start. */
  readonly troubles: readonly AuditMismatch[];
  submit(call: RawCall, context: CallContextInput): Submitted;
  /** The same under an id that the caller has chosen. At most one command ever has it. */
  submitAs(
    call: RawCall,
    of: Readonly<{ id: CommandId; context: CallContextInput }>,
  ): Pick<Submitted, 'commandId' | 'result'>;
  /**
   * The result of a command that an earlier process may have accepted; null: none has. Settles when the command has
   * ended, whoever leads it now.
   */
  earlierResult(id: CommandId): Promise<CommandResult | null>;
  /** What others changed, a line each, of the files that this session has read; each change is reported once. */
  changedSinceRead(caller: Pick<CallContext, 'sessionId' | 'provider'>): Promise<readonly string[]>;
  status(id: CommandId): Promise<CommandRecord | null>;
  list(filter: CommandFilter): Promise<readonly CommandRecord[]>;
  /** Commands with this id prefix (after the `cmd_`) that only the audit log still has. */
  forgotten(prefix: string): Promise<readonly ForgottenCommand[]>;
  output(id: CommandId): Promise<CommandOutput | null>;
  /** Spilled outputs without secrets. */
  readonly shownOutputs: ShownOutputs;
  /** @param haste default: gently. A command that is being stopped gently may still be stopped now. */
  cancel(
    id: CommandId,
    options: Readonly<{ by: string; reason?: string | undefined; haste?: CancelMode | undefined }>,
  ): Promise<CancelAnswer>;
  /** Changes the priority of a waiting command, whichever coordinator leads it; 0 is served first. */
  prioritize(id: CommandId, to: Readonly<{ priority: number; by: string }>): Promise<PrioritizeAnswer>;
  /** Ends a session, whichever coordinator of the workspace leads it; false if none does. */
  stopSession(id: SessionId, by: string): Promise<boolean>;
  /**
   * Adds a message of a person before the next turn of a session, whichever coordinator leads it; false if none does.
   */
  sayToSession(id: SessionId, message: SessionMessage): Promise<boolean>;
  /**
   * Compresses the conversation of a session before its next turn, whichever coordinator leads it; false if none does.
   */
  compressSession(id: SessionId, by: string): Promise<boolean>;
  /** Leases, and waiting commands with their blockers: the first `max` waiting ones; default: all. */
  queue(max?: number): Promise<SchedulerSnapshot>;
  readonly approvals: ApprovalService;
  readonly sessionRules: SessionRuleService;
  readonly monitor: Monitor;
  /** Results that are kept to be used again, by this process. */
  readonly resultCache: ResultCache;
  readonly tools: ToolRegistry;
  /** What providers and their sessions are offered. */
  readonly offers: OfferService;
  mode(): Promise<ModeState>;
  /**
   * @param forMs duration (up to 30 days), after which the previous mode comes back; default: until another mode is set
   * @throws {UsageError} when the reason is empty, the time is too long, or too many modes are stacked below it
   * already.
   */
  setMode(
    mode: Mode,
    options: Readonly<{ by: string; reason: string; forMs?: number | undefined }>,
  ): Promise<ModeState>;
  /**
   * Call after the policy has changed: pending approvals are requested again, and answers to the old ones do not count.
   */
  policyChanged(source: WatchedSource): void;
  /** The content of a settings source can't be used, and why: the previous content stays in effect. */
  settingsRefused(source: WatchedSource, why: string): void;
  /** The source is valid again and has the content in effect: a refusal is over. */
  settingsAccepted(source: WatchedSource): void;
  /** Recovery of an earlier process's commands: new calls queue behind them. */
  readonly recovery: Pick<Recovery, 'over' | 'progress'>;
  /** The time that the retries of a session's turns and calls have waited. */
  retryBudgetOf(id: SessionId): RetryBudget;
  /** Parent actor of the sessions that run here. */
  readonly sessions: NonNullable<SessionOptions['sessions']>;
  /** The current actors and their states. */
  actors(): Promise<ActorSnapshotTree>;
  /** Nothing new should begin: check `isEnding` before starting a session. Work in progress continues. */
  drain(): void;
  isEnding(): boolean;
  /** Cancels nothing: commands that have not started stay for the next start; running ones are stopped. */
  close(): Promise<void>;
};
