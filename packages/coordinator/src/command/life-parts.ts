import type {
  Approval,
  CallContext,
  CallHash,
  Clock,
  CommandId,
  CommandRecord,
  CommandResult,
  CommandStore,
  Lease,
  Logger,
  Outcome,
  RawCall,
  Ruling,
  Scheduler,
} from '@signalbox/core';
import type { LiveOutput } from '../live-output.ts';
import type { Judgement } from '../judge-call.ts';
import type { Redact } from './command-result.ts';
import type { RunningCall } from './execute-call.ts';

/** What a command's life needs of the house. */
export type LifeParts = {
  readonly store: CommandStore;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: Redact;
  judge(call: RawCall, context: CallContext): Promise<Judgement>;
  /** With a lease in hand: `allow` only if nothing has changed that the first ruling or a person's answer rested on. */
  judgeAgain(record: CommandRecord): Promise<Ruling>;
  /** The hash of its call under the policy of now; null where its tool can't make the call any more. */
  hashNow(record: CommandRecord): CallHash | null;
  /** Counts the call against its rates and quotas; the refusal, if one is exhausted. */
  takeCounters(judgement: Judgement & { kind: 'judged' }): Promise<Outcome | undefined>;
  /** A fresh question to a person, with its expiry. */
  ask(callHash: CallHash): Approval & { status: 'pending' };
  execute(record: CommandRecord, lease: Lease): { call: RunningCall; output: LiveOutput };
  /**
   * Writes the one audit line of a command, and answers what may be returned now: the result itself, or a
   * failure that says it could not be recorded. Asking again for the same command writes nothing.
   */
  audit(record: CommandRecord, result: CommandResult): Promise<CommandResult>;
  /** How a command ended whose audit line a crash left behind without the record. */
  auditedOutcome(id: CommandId): Outcome | undefined;
  /** The record as history keeps it. */
  withoutSecrets(record: CommandRecord): CommandRecord;
  /** Its life is over. */
  gone(id: CommandId): void;
  nobodyToAsk(): Outcome;
  queueFull(answer: { waiting: number; limit: number }): Outcome;
  waitedTooLong(waitedMs: number): Outcome;
  expired(approval: Approval): Outcome;
  refused(by: { name: string }, reason: string | undefined): Outcome;
};
