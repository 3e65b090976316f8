import type {
  Claim,
  CommandRecord,
  EventId,
  JsonObject,
  Lease,
  Mode,
  OutcomeKind,
  ProviderId,
  PublishedStatus,
  Ruling,
  SessionId,
  UnfinishedCount,
  Usage,
  UserRule,
  Verdict,
} from '@signalbox/core';

/** Answers of the server, as its description (`/docs`) has them. */

export type CommandView = CommandRecord & { readonly status: PublishedStatus };

export type WaitingApproval = Readonly<{
  command: CommandView;
}>;

export type WaitingView = Readonly<{
  commandId: string;
  provider: ProviderId;
  claims: readonly Claim[];
  priority: number;
  /** Epoch milliseconds. */
  since: number;
  /** Whom it waits for, earliest first, at most 20. */
  blockers: readonly string[];
}>;

export type QueueView = Readonly<{
  /** The first of them, in arrival order. */
  waiting: readonly WaitingView[];
  leases: readonly Lease[];
  /** Of all that are not done, by state and provider. */
  counts: readonly UnfinishedCount[];
}>;

/** How many run at once, how long one waits before it is cancelled, and the term of a lease after each renewal. */
export type HouseLimits = Readonly<{ maxConcurrent: number; maxWaitMs: number; leaseTtlMs: number }>;

export type ModeView = Readonly<{ mode: Mode; since: number; by: string; reason: string }>;

export type SessionView = Readonly<{
  id: SessionId;
  provider: ProviderId;
  model: string;
  task: string;
  state: 'running' | 'ended';
  turns: number;
  calls: number;
  usage: Usage;
  /** By the prices of the settings; null where they are not known. */
  costUsd: number | null;
  says: string;
  startedAt: number;
  endedAt: number | null;
  finish: string | null;
  message: string | null;
}>;

export type TranscriptItem = Readonly<
  | {
      kind: 'turn';
      at: number;
      turn: number;
      says: string;
      calls: number;
      usage: Usage;
      costUsd: number | null;
    }
  | { kind: 'trouble'; at: number; turn: number; message: string }
  | {
      kind: 'call';
      at: number;
      tool: string;
      /** The tool and what it was called with, on one line. */
      title: string;
      commandId: string;
      /** Null while it is not done. */
      success: boolean | null;
      outcome: OutcomeKind | null;
    }
>;

/** The directory tree, and where it stands in git; null outside of git. */
export type WorkspaceView = Readonly<{
  name: string;
  head: Readonly<{ kind: 'branch'; name: string } | { kind: 'commit'; id: string }> | null;
}>;

export type Snapshot = Readonly<{
  workspace: string;
  version: string;
  now: number;
  lastEventId: EventId | null;
  you: Readonly<{ name: string; role: string }>;
  mode: ModeView;
  isolation: string;
  commands: readonly CommandView[];
  queue: QueueView;
  limits: HouseLimits;
  sessions: readonly SessionView[];
  providers: readonly Readonly<{ id: ProviderId; model: string; trust: string }>[];
}>;

export type CommandList = Readonly<{ commands: readonly CommandView[]; next: string | null }>;

export type OutputPart = Readonly<{
  text: string;
  /** First byte of the text in the stream, and where the next part begins. */
  from: number;
  to: number;
  totalBytes: number;
  complete: boolean;
}>;

/** A line of an output that holds what was looked for. */
export type OutputMatch = Readonly<{ at: number; line: number; text: string }>;

export type OutputSearch = Readonly<{
  matches: readonly OutputMatch[];
  /** Where to go on; null: all was looked at. */
  next: Readonly<{ from: number; line: number }> | null;
}>;

export type FileDiff = Readonly<{
  path: string;
  added: number;
  removed: number;
  /** In git's form, redacted. */
  patch: string;
  /** Whether what the command left stands there still. */
  current: boolean;
}>;

/** One file as one provider changed it; what was undone is left out. */
export type ReviewFile = Readonly<{
  path: string;
  added: number;
  removed: number;
  alsoChangedBy: readonly ProviderId[];
  /** Whether it is still as that provider left it. */
  isCurrent: boolean;
  /** Oldest first. */
  changes: readonly Readonly<{
    command: string;
    title: string;
    endedAt: number;
    patch: string;
    /** Of the others each hunk is undone by itself. */
    isPartlyUndone: boolean;
  }>[];
}>;

export type Review = Readonly<{
  providers: readonly Readonly<{ provider: ProviderId; files: readonly ReviewFile[] }>[];
  /** A first line for the commit message. */
  message: string;
}>;

export type ProviderStats = Readonly<{
  provider: ProviderId;
  commands: number;
  completed: number;
  failed: number;
  denied: number;
  cancelled: number;
  meanMs: number;
  medianMs: number;
  p95Ms: number;
  waitedMs: number;
  approvalMs: number;
  cpuMs: number;
  peakMemoryBytes: number;
  mostUsed: readonly Readonly<{ tool: string; commands: number }>[];
}>;

/** Numbers of one stretch of time. */
export type TimelineBucket = Readonly<{
  at: number;
  commands: number;
  completed: number;
  failed: number;
  denied: number;
  cancelled: number;
  medianMs: number;
  p95Ms: number;
  longestWaitMs: number;
  longestApprovalMs: number;
  cpuMs: number;
  peakMemoryBytes: number;
}>;

export type Timeline = Readonly<{
  bucketMs: number;
  buckets: readonly TimelineBucket[];
  mostUsed: readonly Readonly<{ title: string; commands: number; failed: number; medianMs: number }>[];
}>;

export type RuleStep = Readonly<{
  rule: string;
  source: string;
  ruling: Ruling['kind'];
  hit: 'yes' | 'maybe' | 'no';
  decides: boolean;
  says: string;
}>;

export type Explanation = Readonly<{
  title: string;
  verdict: Verdict;
  ruling: Ruling;
  rules: readonly RuleStep[];
  changes: readonly string[];
}>;

/** What became of a rule that a person typed; `text` is exactly what a file would hold. */
export type RuleDraft = Readonly<
  { kind: 'fits'; rule: JsonObject; text: string } | { kind: 'unfit'; why: string }
>;

export type RuleProposal = Readonly<
  { kind: 'rule'; rule: JsonObject; text: string } | { kind: 'never'; why: string }
>;

/** For whom a rule counts. */
export type RuleScope = 'session' | 'local' | 'workspace' | 'user';

/** Where a rule stands now, and whether it counts already. */
export type StoredRule = Readonly<{ id: string; where: string; counts: boolean }>;

export type RuleView = Pick<
  UserRule,
  'id' | 'ruling' | 'match' | 'because' | 'source' | 'endsAt' | 'layer' | 'list' | 'isTrusted'
>;
