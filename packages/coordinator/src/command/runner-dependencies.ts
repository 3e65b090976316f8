import type {
  ApprovalBase,
  RepeatedApproval,
  CallContext,
  CallHash,
  Claim,
  Clock,
  CommandId,
  CommandRecord,
  CommandResult,
  CommandStore,
  Logger,
  Outcome,
  PendingApproval,
  RawCall,
  Ruling,
  Scheduler,
  SessionId,
} from '@signalbox/core';
import type { LateAnswer } from '../approval/late-answers.ts';
import type { Grounding } from '../grounding/grounding.ts';
import type { GateChain } from '../gates/gate-chain.ts';
import type { UtilityGate } from '../gates/utility/utility-gate.ts';
import type { OutsideEdits } from '../execution/outside-edits.ts';
import type { RecentChanges } from '../execution/recent-changes.ts';
import type { ReadReuse } from '../reuse/read-reuse.ts';
import type { LiveOutput } from '../execution/live-output.ts';
import type { Judgement } from '../judging/judge-call.ts';
import type { Previews } from '../preview/previews.ts';
import type { RefusedEffects } from '../judging/refused-effects.ts';
import type { RepeatLimits } from '../judging/repeat-gate.ts';
import type { FilterStreams, Redact } from './command-result.ts';
import type { UntrustedText } from '../untrusted/untrusted-text.ts';
import type { ExecutedCall, RunningCall } from './running/execute-call.ts';
import type { Hold } from './running/hold.ts';

/** Why an approval is requested again. */
export type RepeatReason = Pick<RepeatedApproval, 'because' | 'paths'>;

/** What a command runner needs of the coordinator. */
export type RunnerDependencies = {
  readonly store: CommandStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  /** Pid of the process that leads its commands. */
  readonly pid: number;
  readonly logger: Logger;
  readonly redact: Redact;
  /** Previews of calls, for people. */
  readonly previews: Previews;
  judge(call: RawCall, context: CallContext): Promise<Judgement>;
  /**
   * With a lease in hand: `allow` only if nothing has changed that the first ruling or a person's answer was based on.
   * `why`: what an earlier answer was based on and has changed.
   */
  judgeAgain(record: CommandRecord): Promise<{ readonly ruling: Ruling; readonly why?: RepeatReason }>;
  /** The hash of its call under the current policy; null if its tool can't build the call any more. */
  hashNow(record: CommandRecord): CallHash | null;
  /** Counts the call, and returns how often its agent has made it while nothing changed; 1 for calls that only read. */
  timesMade(call: RawCall, context: CallContext, judgement: Judgement): number;
  readonly repeatLimits: RepeatLimits;
  /** Undefined when it is switched off. */
  readonly utility: UtilityGate | undefined;
  /** Looks for what its model has made up; undefined when that is switched off. */
  readonly grounding: Grounding | undefined;
  /**
   * Call after it has run: other calls may now get other results. Returns notes for its model on what others changed.
   */
  ran(record: CommandRecord, result: CommandResult): Promise<readonly string[]>;
  /** Counts the call against its rates and quotas; returns the refusal if one is exhausted. */
  takeCounters(judgement: Judgement & { kind: 'judged' }): Promise<Outcome | undefined>;
  /** Asked after the policy, the counters and the limits on repetition, before approval or start. */
  readonly gates: GateChain;
  /** Why the call can't succeed with the current files; undefined if it can, or if that is unknown. */
  precheck(record: CommandRecord): Promise<Outcome | undefined>;
  /** Creates an approval request for the record's call, with its expiry, bound to the current state of its files. */
  ask(
    record: CommandRecord,
    question: {
      readonly callHash: CallHash;
      readonly approvers: number;
      readonly why: RepeatReason | undefined;
    },
  ): Promise<PendingApproval>;
  /** Whether an expired approval pauses its session, by the settings. */
  readonly pausesOnExpiry: boolean;
  /** A person's answer to the same approval, given after it expired; it is used up. */
  takeLate(record: CommandRecord, question: PendingApproval): Promise<LateAnswer | undefined>;
  /** Names the call would touch whose state has changed. */
  changedSince(record: CommandRecord, base: ApprovalBase): Promise<readonly string[]>;
  /** Records each person's answer: a denial also applies to the same effect by other means. */
  readonly answered: Pick<RefusedEffects, 'refused' | 'granted'>;
  /** What it must hold before it starts, as commands are currently run. */
  claimsOf(record: CommandRecord): readonly Claim[];
  /** Shortens the output of a command for its model; undefined when nothing is filtered. Never rejects. */
  filterOf(record: CommandRecord): Promise<FilterStreams | undefined>;
  /** Hides personal paths in what its model reads; undefined where they stay. Never rejects. */
  hidePathsOf(record: CommandRecord): Promise<((text: string) => string) | undefined>;
  /** Fences what its model reads of an answer from outside of the workspace; null for any other. */
  untrustedOf(record: CommandRecord, ran: Pick<ExecutedCall, 'outcome' | 'answer'>): UntrustedText | null;
  /** Earlier answers to calls that only read. */
  readonly reads: Pick<ReadReuse, 'has' | 'answerTo'>;
  /** By session: settles when the checks of its calls so far for an earlier answer are over. */
  readonly earlierChecks: Map<SessionId, Promise<unknown>>;
  /** Commands that were submitted before it and are not done. */
  openBefore(record: CommandRecord): readonly CommandRecord[];
  execute(record: CommandRecord, hold: Hold): { call: RunningCall; output: LiveOutput; edits: OutsideEdits };
  /**
   * Writes the one audit line of a command, and returns what may be given as its result: the result itself, or a
   * failure that says it could not be recorded. Repeating it for the same command writes nothing.
   *
   * @param confirm Awaited last; if it throws, nothing is written.
   */
  audit(record: CommandRecord, result: CommandResult, confirm: () => Promise<void>): Promise<CommandResult>;
  /**
   * Call before its end is audited, and right before the line is written: throws if another coordinator leads it by
   * now.
   *
   * @throws {RevisionError}
   */
  confirmOwn(record: CommandRecord): Promise<void>;
  /** The result from the coordinator that leads it now; undefined if there is no other coordinator. */
  readonly resultElsewhere: ((id: CommandId) => Promise<CommandResult | null>) | undefined;
  /** The outcome of a command of which a crash left the audit line without the record. */
  auditedOutcome(id: CommandId): Outcome | undefined;
  /** Records its changes, and returns what others changed while it ran without claims on it. */
  changedUnderneath: RecentChanges;
  /** The record as history keeps it. */
  withoutSecrets(record: CommandRecord): CommandRecord;
  /** Its changes are partly applied: its claims stay held until they are rolled back, and people are notified. */
  stuck(record: CommandRecord, release: () => Promise<void>): Promise<void>;
  /** An internal failure ended the command: people are notified. */
  collapsed(id: CommandId, cause: unknown): void;
  /** A line for its model if it has written such a call badly before (V6). */
  reflect(record: CommandRecord, outcome: Outcome): string | undefined;
  /** The command is over. */
  gone(id: CommandId): void;
  noApprover(): Outcome;
  repeated(times: number): Outcome;
  refused(by: { name: string }, reason: string | undefined): Outcome;
};
