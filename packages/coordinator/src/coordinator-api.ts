import type { AuditMismatch } from './audit/check-audit.ts';
import type {
  Approval,
  Approver,
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
  Tool,
  ToolRegistry,
} from '@signalbox/core';
import type { CancelMode } from './cancel-mode.ts';
import type { ShownOutputs } from './output/shown-outputs.ts';
import type { Recovery } from './recovery/recovery.ts';
import type { ActorSnapshotTree } from './actors/actor-tree.ts';
import type { WatchedSource } from './actors/settings-sources.ts';
import type { SessionOptions } from './session/session-options.ts';

/** A call that has been taken in: its id, where it stands, and the promise of its one result. */
export type Submitted = {
  readonly commandId: CommandId;
  /** Where it stands at this moment. */
  readonly status: PublishedStatus;
  /** All of it, as it stands at this moment. */
  readonly record: CommandRecord;
  /** Settles when it first rests: it waits for a person or in the queue, runs, or is done. */
  readonly resting: Promise<PublishedStatus>;
  /** Never rejects: refusals, crashes of handlers and cancels are results too. */
  readonly result: Promise<CommandResult>;
};

export type CancelAnswer =
  /** It had not started and is done now. */
  | { readonly kind: 'cancelled' }
  /** Its process is being stopped; its result follows when it is dead. */
  | { readonly kind: 'stopping' }
  | { readonly kind: 'already-done'; readonly record: CommandRecord }
  | { readonly kind: 'unknown' };

/** What a person says to a call that waits. */
export type ApprovalAnswer =
  | { readonly kind: 'approve' }
  | {
      readonly kind: 'deny';
      readonly reason?: string;
      /** Its session ends too: no new turns and calls. Default: it goes on. */
      readonly stopsSession?: boolean;
    }
  /** More time to answer, in milliseconds; nothing is decided. */
  | { readonly kind: 'extend'; readonly ms: number }
  /** Other arguments for the same tool; judged again before anything is granted. */
  | {
      readonly kind: 'modify';
      readonly args: Readonly<Record<string, unknown>>;
      /** Hash of the question that `judge` showed of these: if it is another by now, nothing is decided. */
      readonly shown: CallHash;
    };

export type AnswerOutcome =
  | { readonly kind: 'granted'; readonly record: CommandRecord }
  | {
      readonly kind: 'refused';
      readonly record: CommandRecord;
      /** Where that was asked for: false where nobody leads its session, which is over or an agent's own. */
      readonly sessionStopped?: boolean;
    }
  /** It expires later now. */
  | { readonly kind: 'extended'; readonly record: CommandRecord }
  /** The question had expired: the next identical call of that provider uses the answer. */
  | { readonly kind: 'late'; readonly record: CommandRecord }
  /** The yes counts, and one more person must say so. */
  | { readonly kind: 'counted'; readonly record: CommandRecord }
  /** This person has said yes already, and another one must. */
  | { readonly kind: 'same-person'; readonly record: CommandRecord }
  /** These names changed since it was asked: nothing was decided, and it is asked anew. */
  | { readonly kind: 'files-changed'; readonly paths: readonly string[]; readonly record: CommandRecord }
  | { readonly kind: 'already-decided'; readonly approval: Approval }
  /** It is not the call that the person saw. */
  | { readonly kind: 'changed'; readonly callHash: CallHash }
  /** The changed call may not be approved by anybody: blocked, outside the workspace, not valid. */
  | { readonly kind: 'not-approvable'; readonly failure: Failure }
  | { readonly kind: 'unknown' };

export type ApprovalService = {
  /** By time left, shortest first. */
  pending(): Promise<readonly CommandRecord[]>;
  /** The first no counts, and the first yes, or the second where two must agree. `expect` is the hash of the call that was shown. */
  answer(id: CommandId, answer: ApprovalAnswer, by: Approver, expect: CallHash): Promise<AnswerOutcome>;
  /** What a changed call would be judged, without deciding anything. */
  judge(id: CommandId, args: Readonly<Record<string, unknown>>): Promise<CommandRecord | Failure>;
  /** What a pending call would do, redacted; null when there is no such call. Decides and runs nothing. */
  preview(id: CommandId): Promise<CallPreview | null>;
};

/** Rules that a person makes while a session is at work, for that session alone. */
export type SessionRuleService = {
  /**
   * Gives the session of that command one more allow rule, written as in `rules:`. It counts at once and ends with the
   * session; what is denied, dangerous or blocked stays so.
   *
   * @throws {UsageError} `invalid-rule`, `rule-exists`, `unknown-id`
   */
  add(id: CommandId, rule: Json): Promise<{ readonly rule: string; readonly session: SessionId }>;
  /** False when no session has a rule of that name. */
  remove(rule: string): Promise<boolean>;
};

/** One row of the numbers by provider (R3). */
export type ProviderTotals = CommandNumbers & { readonly provider: ProviderId };

/** Of commands that have ended. */
export type CommandNumbers = {
  readonly commands: number;
  readonly completed: number;
  readonly failed: number;
  readonly denied: number;
  readonly cancelled: number;
  /** Of commands that ran. */
  readonly meanMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly waitedMs: number;
  readonly approvalMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
  /** Most frequent first, at most 5: `read_file`, 11. */
  readonly mostUsed: readonly { readonly tool: string; readonly commands: number }[];
};

/** Numbers of the commands that were submitted in one stretch of time. */
export type TimelineBucket = {
  /** Where it begins, epoch milliseconds. */
  readonly at: number;
  readonly commands: number;
  readonly completed: number;
  readonly failed: number;
  readonly denied: number;
  readonly cancelled: number;
  /** Of commands that ran; 0 when none did. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Longest wait of one of them: in the queue, and for a person. */
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

/** Why commands asked a person, and what became of that; those that still wait are in `asked` alone. */
export type QuestionStats = {
  /** The rule that asked. */
  readonly rule: string;
  /** Without what differs from one call to the next. */
  readonly reason: string;
  readonly asked: number;
  readonly approved: number;
  readonly denied: number;
  readonly expired: number;
  readonly cancelled: number;
};

/** One answer, given once, that would have saved the most questions. */
export type RuleSuggestion = {
  readonly saves: number;
  /** Of so many questions in all. */
  readonly asked: number;
} & (
  | {
      readonly kind: 'network';
      readonly profile: 'packages' | 'remotes';
      /** The line that asked for it most often. */
      readonly example: string;
    }
  | { readonly kind: 'rule'; readonly line: string }
);

/** What came of questions, and which file commands changed most. */
export type AnswerStats = {
  readonly approvals: {
    readonly granted: number;
    readonly refused: number;
    readonly expired: number;
    readonly cancelled: number;
    /** Null while nobody has answered. */
    readonly medianAnswerMs: number | null;
  };
  /** Most often first. */
  readonly questions: readonly QuestionStats[];
  /** Null where none would have saved two. */
  readonly remedy: RuleSuggestion | null;
  /** Null while nothing was changed. */
  readonly busiestFile: { readonly path: string; readonly changes: number } | null;
};

export type Monitor = {
  /** Newest first; the last 1,000 commands are kept (R4). */
  history(filter: CommandFilter): Promise<readonly CommandRecord[]>;
  /** Over the kept history from `since` (epoch ms) on; all of it without. */
  stats(since?: number): Promise<readonly ProviderTotals[]>;
  /** What people answered, and what was changed most, over the same commands and those that are not done yet. */
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
  /** It is set for a time: when it is over (epoch ms), and what comes back then. */
  readonly back?: { readonly at: number; readonly to: Mode };
};

/** What a command printed. */
export type CommandOutput = {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  /** Files that hold the full text, while they exist. */
  readonly spillFiles: { readonly stdout?: string | undefined; readonly stderr?: string | undefined };
};

/** The one place that every tool call goes through. */
export type PrioritizeAnswer = 'prioritized' | 'not-waiting';

export type Coordinator = {
  /** What of the audit log and the records did not fit together at the start. */
  readonly troubles: readonly AuditMismatch[];
  submit(call: RawCall, context: CallContextInput): Submitted;
  status(id: CommandId): Promise<CommandRecord | null>;
  list(filter: CommandFilter): Promise<readonly CommandRecord[]>;
  /** Commands whose id begins so (after the `cmd_`), which only the audit log has any more. */
  forgotten(prefix: string): Promise<readonly ForgottenCommand[]>;
  output(id: CommandId): Promise<CommandOutput | null>;
  /** Spilled outputs without secrets. */
  readonly shownOutputs: ShownOutputs;
  /** @param haste default: gently. Also one that is being stopped gently may be stopped now. */
  cancel(id: CommandId, by: string, reason?: string, haste?: CancelMode): Promise<CancelAnswer>;
  /** Gives a waiting command another priority, whichever coordinator leads it; 0 is served first. */
  prioritize(id: CommandId, priority: number, by: string): Promise<PrioritizeAnswer>;
  /** Ends a session, whichever coordinator of the workspace leads it; false when none does. */
  stopSession(id: SessionId, by: string): Promise<boolean>;
  /** Who holds what, and who waits for whom: of those that wait the first `most`; default: all. */
  queue(most?: number): Promise<SchedulerSnapshot>;
  readonly approvals: ApprovalService;
  readonly sessionRules: SessionRuleService;
  readonly monitor: Monitor;
  readonly tools: ToolRegistry;
  /**
   * What a provider may be offered now: registered, declared, in the mode and by the settings of now.
   *
   * @param declared names that the provider's settings list; null: all
   * @param mode default: the one of now
   */
  offers(declared: readonly string[] | null, mode?: Mode): Promise<readonly Tool[]>;
  mode(): Promise<ModeState>;
  /**
   * @param forMs for so long (up to 30 days), and then what was set before comes back; default: until somebody sets another
   * @throws {UsageError} when the reason is empty, the time is too long, or too many modes lie below it already.
   */
  setMode(mode: Mode, by: string, reason: string, forMs?: number): Promise<ModeState>;
  /** To be told after the policy has changed: open questions are asked anew, and answers to the old ones count for nothing. */
  policyChanged(source: WatchedSource): void;
  /** What stands in a source of settings can't be used, and why: what counted before stays. */
  settingsRefused(source: WatchedSource, why: string): void;
  /** It can be used, and decides what counted before: a refusal is over. */
  settingsAccepted(source: WatchedSource): void;
  /** Taking up the commands of an earlier process: calls that come meanwhile queue behind them. */
  readonly recovery: Pick<Recovery, 'over' | 'progress'>;
  /** Whose children sessions become that run here. */
  readonly sessions: NonNullable<SessionOptions['sessions']>;
  /** What it consists of now, and in which states. */
  actors(): Promise<ActorSnapshotTree>;
  /** From now on nothing new is to begin: whoever starts sessions asks `isEnding`. What is under way goes on. */
  drain(): void;
  isEnding(): boolean;
  /** Cancels nothing by itself: commands that have not started stay for the next start; running ones are stopped. */
  close(): Promise<void>;
};
