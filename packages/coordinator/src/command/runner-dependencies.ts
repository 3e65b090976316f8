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
} from '@signalbox/core';
import type { LateAnswer } from '../approval/late-answers.ts';
import type { OutsideEdits } from '../execution/outside-edits.ts';
import type { RecentChanges } from '../execution/recent-changes.ts';
import type { LiveOutput } from '../execution/live-output.ts';
import type { Judgement } from '../judging/judge-call.ts';
import type { Previews } from '../preview/previews.ts';
import type { RefusedEffects } from '../judging/refused-effects.ts';
import type { RepeatLimits } from '../judging/repeat-gate.ts';
import type { Redact } from './command-result.ts';
import type { RunningCall } from './execute-call.ts';
import type { Hold } from './hold.ts';

/** Why a question is put once more. */
export type RepeatReason = Pick<RepeatedApproval, 'because' | 'paths'>;

/** What a command's life needs of the coordinator. */
export type RunnerDependencies = {
  readonly store: CommandStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  /** Of the process that leads its commands. */
  readonly pid: number;
  readonly logger: Logger;
  readonly redact: Redact;
  /** What calls would do, for people. */
  readonly previews: Previews;
  judge(call: RawCall, context: CallContext): Promise<Judgement>;
  /**
   * With a lease in hand: `allow` only if nothing has changed that the first ruling or a person's answer rested on.
   * `why`: what an earlier answer rested on, and is no more.
   */
  judgeAgain(record: CommandRecord): Promise<{ readonly ruling: Ruling; readonly why?: RepeatReason }>;
  /** The hash of its call under the policy of now; null where its tool can't make the call any more. */
  hashNow(record: CommandRecord): CallHash | null;
  /** Counts the call, and answers how often its agent has made it while nothing changed; 1 for calls that only read. */
  timesMade(call: RawCall, context: CallContext, judgement: Judgement): Promise<number>;
  readonly repeatLimits: RepeatLimits;
  /** It has run: others may see something else now. Answers what its own model is told of what others changed. */
  ran(record: CommandRecord, result: CommandResult): Promise<readonly string[]>;
  /** Counts the call against its rates and quotas; the refusal, if one is exhausted. */
  takeCounters(judgement: Judgement & { kind: 'judged' }): Promise<Outcome | undefined>;
  /** Why the call can't succeed as files stand now; undefined when it can, or when nobody can tell yet. */
  precheck(record: CommandRecord): Promise<Outcome | undefined>;
  /** A fresh question about the call of that record, with its expiry, bound to the files as they stand now. */
  ask(
    record: CommandRecord,
    question: {
      readonly callHash: CallHash;
      readonly approvers: number;
      readonly why: RepeatReason | undefined;
    },
  ): Promise<PendingApproval>;
  /** Whether an approval that expires pauses its session, as the settings say. */
  readonly pausesOnExpiry: boolean;
  /** A person's answer to the same question, which came when that had expired; it is used up. */
  takeLate(record: CommandRecord, question: PendingApproval): Promise<LateAnswer | undefined>;
  /** Names that the call would touch and that are no longer as they were. */
  changedSince(record: CommandRecord, base: ApprovalBase): Promise<readonly string[]>;
  /** Told of each person's answer: a no holds for the same effect by other means too. */
  readonly answered: Pick<RefusedEffects, 'refused' | 'granted'>;
  /** What it must hold before it starts, as commands are run now. */
  claimsOf(record: CommandRecord): readonly Claim[];
  execute(record: CommandRecord, hold: Hold): { call: RunningCall; output: LiveOutput; edits: OutsideEdits };
  /**
   * Writes the one audit line of a command, and answers what may be returned now: the result itself, or a
   * failure that says it could not be recorded. Asking again for the same command writes nothing.
   *
   * @param confirm The last that is waited for: when it throws, nothing is written.
   */
  audit(record: CommandRecord, result: CommandResult, confirm: () => Promise<void>): Promise<CommandResult>;
  /**
   * To be called before its end is audited, and right before the line: throws when another coordinator leads it by now.
   *
   * @throws {RevisionError}
   */
  confirmOwn(record: CommandRecord): Promise<void>;
  /** The result that another coordinator comes to, which leads it now; undefined where there is no other. */
  readonly resultElsewhere: ((id: CommandId) => Promise<CommandResult | null>) | undefined;
  /** How a command ended whose audit line a crash left behind without the record. */
  auditedOutcome(id: CommandId): Outcome | undefined;
  /** Remembers what it changed, and tells what others changed while it ran, where it claimed nothing of that. */
  changedUnderneath: RecentChanges;
  /** The record as history keeps it. */
  withoutSecrets(record: CommandRecord): CommandRecord;
  /** Its files are put in part: what it claims stays held until they are taken back, and people are told. */
  stuck(record: CommandRecord, release: () => Promise<void>): Promise<void>;
  /** A part of ours threw, and the command ends for that: people are told. */
  collapsed(id: CommandId, cause: unknown): void;
  /** Its life is over. */
  gone(id: CommandId): void;
  nobodyToAsk(): Outcome;
  repeated(times: number): Outcome;
  refused(by: { name: string }, reason: string | undefined): Outcome;
};
