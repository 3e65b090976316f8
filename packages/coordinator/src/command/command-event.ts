import type {
  Approval,
  Approver,
  CallHash,
  Claim,
  CommandResult,
  Enqueued,
  JsonObject,
  Lease,
  Outcome,
  PendingApproval,
  RawCall,
  Ruling,
} from '@signalbox/core';
import type { CallJudgement } from '../judging/judged.ts';
import type { Judgement } from '../judging/judge-call.ts';
import type { CancelMode } from '../cancel-mode.ts';
import type { RepeatReason } from './runner-dependencies.ts';
import type { ExecutedCall } from './execute-call.ts';

/** A call that a person changed, judged and not denied; `shown`: the hash of the question that they saw of it. */
export type ChangedEvent = Judgement & { readonly kind: 'judged'; readonly shown: CallHash };

/** What became of one person's yes. */
export type GrantAnswer =
  /** All yeses that it needs are there: it goes on. */
  | { readonly kind: 'granted' }
  /** One more person must say yes. */
  | { readonly kind: 'counted' }
  /** This person has said yes already; another one must. */
  | { readonly kind: 'same-person' }
  /** What it would touch is not what the person was shown: the question was put anew. */
  | { readonly kind: 'files-changed'; readonly paths: readonly string[] }
  /** The changed call, or a file that it would touch, is not what the person was shown. */
  | { readonly kind: 'changed'; readonly callHash: CallHash }
  /** No such question is open. */
  | { readonly kind: 'closed' };

type Of<Type extends string, Facts = unknown> = { readonly type: Type } & Readonly<Facts>;

/** From sessions, people, the scheduler, the process and the coordinator. Times are epoch milliseconds. */
export type Request =
  | Of<'call.received', { call: RawCall }>
  | Of<'approval.given', { by: Approver; expect: CallHash; changed?: ChangedEvent | undefined }>
  | Of<'approval.refused', { by: Approver; expect: CallHash; reason?: string | undefined; at: number }>
  | Of<'approval.extended', { by: Approver; expect: CallHash; ms: number; at: number }>
  /** Its timer has fired, or somebody answers: is its time over? `pauses`: then its session waits on. */
  | Of<'approval.due', { at: number; answerable: boolean; pauses: boolean }>
  | Of<'policy.changed'>
  | Of<'cancel.requested', { by: string; reason: string; haste: CancelMode }>
  | Of<'lease.granted', { lease: Lease }>
  | Of<'lease.lost', { lease: Lease }>
  | Of<'wait.expired', { waitedMs: number }>
  /** A transaction whose process is dead wants what it wrote. */
  | Of<'claims.wanted', { claims: readonly Claim[]; placeless: boolean }>
  /** It is told to stop while it waits for them. */
  | Of<'claims.dropped'>
  /** Its process is dead. */
  | Of<'process.ended', { ran: ExecutedCall }>
  /** Found by a restart before it ran. */
  | Of<'command.resumed'>
  /** Found by a restart `running`, with nobody behind it, or ended in the audit alone. */
  | Of<'command.orphaned', { outcome: Outcome }>
  /** Another coordinator leads it now. */
  | Of<'command.taken'>
  /** The one that leads it has come to a result. */
  | Of<'result.elsewhere', { result: CommandResult }>
  /** Nothing starts any more; what is stored stays for the next start. */
  | Of<'coordinator.closing'>;

/** What came of an action. */
export type ActionOutcome =
  /** Nobody can judge it; it ends. */
  | Of<'call.rejected', { title: string; args: JsonObject; outcome: Outcome }>
  | Of<'call.classified', { judged: CallJudgement; note?: string | undefined }>
  | Of<'ruling.allowed', { ruling: Ruling; at: number }>
  /** `reply`: for the person whose yes came too late for the files as they stand. */
  | Of<'approval.needed', { ruling: Ruling; why?: RepeatReason | undefined; reply?: GrantAnswer }>
  /** `answered`: its answer, given after the last one had expired, comes right behind it. */
  | Of<
      'ruling.asked',
      {
        ruling: Ruling;
        callHash: CallHash;
        approval: PendingApproval;
        answered: boolean;
        reply?: GrantAnswer;
      }
    >
  /** A person changed the call that waits: another call, under a question of its own. */
  | Of<'call.changed', { judged: CallJudgement; ruling: Ruling; approval: PendingApproval }>
  /** One person's yes, where another one's is needed still. */
  | Of<'approval.counted', { at: number; by: Approver }>
  /** The last yes that was needed. */
  | Of<'approval.granted', { at: number; by: Approver }>
  /** A yes that counts for nothing. */
  | Of<'answer.void', { answer: GrantAnswer }>
  | Of<'queue.answered', { answer: Enqueued; at: number }>
  /** With a lease in hand: nothing has changed that its ruling or a person's answer rested on. */
  | Of<'start.allowed', { lease: Lease; at: number }>
  | Of<'claims.released'>
  /** What it holds while it runs is another lease now. */
  | Of<'lease.exchanged', { lease: Lease }>
  | Of<'execution.ended', { result: CommandResult }>
  /** It never began. */
  | Of<'execution.failed', { cause: unknown }>
  /** It ends without having run. */
  | Of<'command.ended', { outcome: Outcome; approval?: Approval; ruling?: Ruling }>
  /** The one result, as the audit has it. */
  | Of<'audit.written', { result: CommandResult }>
  /** A part of ours failed. `answering`: and a person waits for what came of their answer. */
  | Of<'runner.failed', { cause: unknown; answering: boolean }>;

/** What may happen to a command. */
export type CommandEvent = Request | ActionOutcome;
