import {
  type Approval,
  type Approver,
  type CommandRecord,
  InvariantError,
  type PendingApproval,
  type Ruling,
} from '@signalbox/core';
import type { LateAnswer } from '../../approval/late-answers.ts';
import type { ActionOutcome, ChangedEvent } from '../command-event.ts';
import type { RunnerDependencies, RepeatReason } from '../runner-dependencies.ts';
import { denial } from '../outcome/outcome-of.ts';
import { openQuestion } from '../record-after.ts';
import type { StepPerformers } from './performers.ts';

const POLICY: RepeatReason = { because: 'policy', paths: [] };

/** Requests approvals and processes their answers. */
export function asking(
  parts: Pick<
    RunnerDependencies,
    | 'precheck'
    | 'noApprover'
    | 'hashNow'
    | 'ask'
    | 'takeLate'
    | 'refused'
    | 'answered'
    | 'changedSince'
    | 'judgeAgain'
    | 'clock'
  >,
): StepPerformers<'ask' | 'consider' | 'reconsider' | 'noteGrant' | 'noteRefusal'> {
  const { clock } = parts;

  /** The same approval had expired and was answered later: it is not requested again. */
  function useLate(
    { kind, by, reason }: LateAnswer,
    {
      record,
      requested,
    }: { readonly record: CommandRecord; readonly requested: ActionOutcome & { type: 'ruling.asked' } },
  ): readonly ActionOutcome[] {
    const { approval } = requested;
    const at = clock.now();
    const [last, ...others] = by.toReversed();
    if (last === undefined)
      throw new InvariantError(`Cannot answer ${record.id}: its late answer names nobody`);
    if (kind === 'deny') {
      const why = reason === undefined ? {} : { reason };
      parts.answered.refused(record, last);
      const refused = { ...approval, ...why, status: 'refused', by: last, answeredAt: at } as const;
      return [{ type: 'command.ended', outcome: parts.refused(last, reason), approval: refused }];
    }
    const counted = others
      .toReversed()
      .map((one): ActionOutcome => ({ type: 'approval.counted', at, by: one }));
    return [requested, ...counted, { type: 'approval.granted', by: last, at }];
  }

  async function weigh(
    by: Approver,
    { question, record }: { readonly question: PendingApproval; readonly record: CommandRecord },
  ): Promise<readonly ActionOutcome[]> {
    if (question.grants.some((grant) => isSamePerson(grant.by, by))) {
      return [{ type: 'answer.void', answer: { kind: 'same-person' } }];
    }
    const paths = await parts.changedSince(record, question.base);
    if (paths.length > 0) {
      const { ruling } = record;
      if (ruling === null) throw new InvariantError(`Cannot ask about ${record.id} again: it has no ruling`);
      const why: RepeatReason = { because: 'files', paths };
      return [{ type: 'approval.needed', ruling, why, reply: { kind: 'files-changed', paths } }];
    }
    const type = question.grants.length + 1 < question.approvers ? 'approval.counted' : 'approval.granted';
    return [{ type, by, at: clock.now() }];
  }

  /** A changed call is a different call: answers to the first one do not count. */
  async function weighChanged(
    by: Approver,
    {
      changed: { judged, ruling, shown, gates },
      record,
    }: { readonly changed: ChangedEvent; readonly record: CommandRecord },
  ): Promise<readonly ActionOutcome[]> {
    const approvers = approversOf(ruling);
    const why: RepeatReason = { because: 'call', paths: [] };
    const next = { ...record, ...judged };
    const approval = await parts.ask(next, { callHash: judged.callHash, approvers, why });
    const { callHash } = approval;
    if (callHash !== shown) return [{ type: 'answer.void', answer: { kind: 'changed', callHash } }];
    const type = approvers > 1 ? 'approval.counted' : 'approval.granted';
    return [
      { type: 'call.changed', judged, ruling, approval, gates },
      { type, by, at: clock.now() },
    ];
  }

  return {
    async ask({ ruling, why, reply }, record) {
      const failure = await parts.precheck(record);
      if (failure !== undefined) {
        const ended = { type: 'command.ended', outcome: failure, ...withdrawn(record) } as const;
        return reply === undefined ? [ended] : [{ type: 'answer.void', answer: reply }, ended];
      }
      if (record.context.asking === 'never') {
        return [{ type: 'command.ended', outcome: parts.noApprover(), ruling }];
      }
      const callHash = parts.hashNow(record) ?? record.callHash;
      if (callHash === null) throw new InvariantError(`Cannot ask about ${record.id}: it was never judged`);
      const approval = await parts.ask(record, { callHash, approvers: approversOf(ruling), why });
      const late = await parts.takeLate(record, approval);
      const answered = late !== undefined;
      const requested = {
        type: 'ruling.asked',
        ruling,
        callHash,
        approval,
        answered,
        ...(reply === undefined ? {} : { reply }),
      } as const;
      return late === undefined ? [requested] : useLate(late, { record, requested });
    },

    async consider({ by, changed }, record) {
      const question = openQuestion(record);
      if (question === null) return [];
      return changed === undefined ? weigh(by, { question, record }) : weighChanged(by, { changed, record });
    },

    /**
     * The policy has changed: the pending approval is requested again, resolved by the new policy, or the call is
     * denied.
     */
    async reconsider(_, record) {
      const question = openQuestion(record);
      if (question === null || parts.hashNow(record) === record.callHash) return [];
      const { ruling } = await parts.judgeAgain(record);
      if (ruling.kind === 'ask') return [{ type: 'approval.needed', ruling, why: POLICY }];
      if (ruling.kind === 'allow') return [{ type: 'ruling.allowed', ruling, at: clock.now() }];
      return [{ type: 'command.ended', outcome: denial(ruling), ruling, ...withdrawn(record) }];
    },

    noteGrant: (_, record) => parts.answered.granted(record),
    noteRefusal: ({ by }, record) => parts.answered.refused(record, by),
  };
}

/** Closes an approval that is still pending when its call can no longer succeed. */
function withdrawn(record: CommandRecord): { approval?: Approval } {
  const question = openQuestion(record);
  return question === null ? {} : { approval: { ...question, status: 'expired' } };
}

/** How many people must approve. If a changed call needs no approval, the person who changed it is enough. */
function approversOf(ruling: Ruling): number {
  return ruling.kind === 'ask' ? ruling.approvers : 1;
}

/** Compares names case-insensitively; the terminal does not matter. */
function isSamePerson(one: Approver, other: Approver): boolean {
  return one.name.trim().toLowerCase() === other.name.trim().toLowerCase();
}
