import type {
  Approval,
  Approver,
  CallHash,
  Claim,
  CommandResult,
  Enqueued,
  GateDecision,
  JsonObject,
  Lease,
  Outcome,
  PendingApproval,
  RawCall,
  Ruling,
} from '@signalbox/core';
import type { GateChainAnswer } from '../gates/gate-chain.ts';
import type { CallJudgement } from '../judging/judged.ts';
import type { Judgement } from '../judging/judge-call.ts';
import type { CancelMode } from '../cancel-mode.ts';
import type { RepeatReason } from './runner-dependencies.ts';
import type { ExecutedCall } from './running/execute-call.ts';

/** A call that a person changed, judged and not denied; `shown`: the hash of the approval request that they saw. */
export type ChangedEvent = Judgement & {
  readonly kind: 'judged';
  readonly shown: CallHash;
  readonly gates: readonly GateDecision[];
};

/** A denial, with the reason if one was given. */
export type Refusal = { readonly reason?: string | undefined };

/** The effect of one approval. */
export type GrantAnswer =
  /** All required approvals are given: the command continues. */
  | { readonly kind: 'granted' }
  /** One more person must approve. */
  | { readonly kind: 'counted' }
  /** This person has approved already; another one must. */
  | { readonly kind: 'same-person' }
  /** The files differ from what the person was shown: the approval was requested again. */
  | { readonly kind: 'files-changed'; readonly paths: readonly string[] }
  /** The changed call, or a file that it would touch, is not what the person was shown. */
  | { readonly kind: 'changed'; readonly callHash: CallHash }
  /** No such approval is pending. */
  | { readonly kind: 'closed' };

type Of<Type extends string, Facts = unknown> = { readonly type: Type } & Readonly<Facts>;

/** From sessions, people, the scheduler, the process and the coordinator. Times are epoch milliseconds. */
export type Request =
  | Of<'call.received', { call: RawCall }>
  | Of<'approval.given', { by: Approver; expect: CallHash; changed?: ChangedEvent | undefined }>
  | Of<'approval.refused', Refusal & { by: Approver; expect: CallHash; at: number }>
  /** Answers a question. `text` is redacted. */
  | Of<'question.answered', { by: Approver; expect: CallHash; text: string; at: number }>
  | Of<'approval.extended', { by: Approver; expect: CallHash; ms: number; at: number }>
  /**
   * Its timer has fired, or an answer arrived: check whether its time is over. `pauses`: then its session stays paused.
   */
  | Of<'approval.due', { at: number; answerable: boolean; pauses: boolean }>
  | Of<'policy.changed'>
  | Of<'cancel.requested', { by: string; reason: string; haste: CancelMode }>
  /** The gates that ask a model have all passed it, or one refused it. */
  | Of<'gates.answered', { answer: GateChainAnswer }>
  | Of<'lease.granted', { lease: Lease }>
  | Of<'lease.lost', { lease: Lease }>
  | Of<'wait.expired', { waitedMs: number }>
  /** A transaction whose process is dead wants claims on its changes. */
  | Of<'claims.wanted', { claims: readonly Claim[]; placeless: boolean }>
  /** It is told to stop while it waits for them. */
  | Of<'claims.dropped'>
  /** Its process is dead. */
  | Of<'process.ended', { ran: ExecutedCall }>
  /** Found after a restart, before it ran. */
  | Of<'command.resumed'>
  /** Found after a restart as `running` without a process, or ended in the audit only. */
  | Of<'command.orphaned', { outcome: Outcome }>
  /** Another coordinator leads it now. */
  | Of<'command.taken'>
  /** The coordinator that leads it has a result. */
  | Of<'result.elsewhere', { result: CommandResult }>
  /** Nothing starts any more; stored commands stay for the next start. */
  | Of<'coordinator.closing'>;

/** The result of an action. */
export type ActionOutcome =
  /** It can't be judged, and ends. */
  | Of<'call.rejected', { title: string; args: JsonObject; outcome: Outcome }>
  /** `answer`: of the gates that answer at once. */
  | Of<
      'call.classified',
      { judged: CallJudgement; note?: string | undefined; answer?: GateChainAnswer | undefined }
    >
  /** It waits for the gates that ask a model, or behind a call of its session that does. */
  | Of<'gates.needed', { ruling: Ruling }>
  | Of<'ruling.allowed', { ruling: Ruling; at: number }>
  /** `reply`: for the person whose approval came after the files had changed. */
  | Of<'approval.needed', { ruling: Ruling; why?: RepeatReason | undefined; reply?: GrantAnswer }>
  /** `answered`: the event with its answer, given after an earlier request expired, follows directly. */
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
  /** A person changed the waiting call: another call, with its own approval request. */
  | Of<
      'call.changed',
      {
        judged: CallJudgement;
        ruling: Ruling;
        approval: PendingApproval;
        gates: readonly GateDecision[];
      }
    >
  /** One approval, while another one is required. */
  | Of<'approval.counted', { at: number; by: Approver }>
  /** The last required approval. */
  | Of<'approval.granted', { at: number; by: Approver }>
  /** An approval that does not count. */
  | Of<'answer.void', { answer: GrantAnswer }>
  /** Nothing runs: an earlier command's answer is its result. */
  | Of<'result.reused', { result: CommandResult }>
  | Of<'queue.answered', { answer: Enqueued; at: number }>
  /** With a lease in hand: nothing has changed that its ruling or a person's answer was based on. */
  | Of<'start.allowed', { lease: Lease; at: number }>
  | Of<'claims.released'>
  /** It holds another lease while it runs. */
  | Of<'lease.exchanged', { lease: Lease }>
  | Of<'execution.ended', { result: CommandResult }>
  /** It never began. */
  | Of<'execution.failed', { cause: unknown }>
  /** It ends without having run. */
  | Of<'command.ended', { outcome: Outcome; approval?: Approval; ruling?: Ruling }>
  /** The one result, as written to the audit. */
  | Of<'audit.written', { result: CommandResult }>
  /** An internal failure. `answering`: a person waits for the effect of their answer. */
  | Of<'runner.failed', { cause: unknown; answering: boolean }>;

/** All events of a command. */
export type CommandEvent = Request | ActionOutcome;
