import type { Approver, CallPreview, CommandRecord } from '@signalbox/core';
import type { AnswerOutcome, ApprovalAnswer, ApprovalService, Coordinator } from '@signalbox/coordinator';
import { questionHash } from '../runtime/rules/question-hash.ts';
import type { RuleDraft, StoredDraft } from '../runtime/rules/rule-draft.ts';
import type { RuleService } from '../runtime/rules/rule-service.ts';

export type MadeRule = Readonly<{
  stored: StoredDraft | null;
  /** Why there is no rule though one was wanted and the call was approved. */
  notStored: string | null;
}>;

/** Where questions come from and answers go. */
export type ApprovalsClient = Readonly<{
  pending(): Promise<readonly CommandRecord[]>;
  answer(record: CommandRecord, answer: ApprovalAnswer): Promise<AnswerOutcome>;
  judge: ApprovalService['judge'];
  /** What the call would do; null where that can't be told. Never rejects. */
  preview(record: CommandRecord): Promise<CallPreview | null>;
  /** Who answers here. */
  me: Approver;
  /** Null where no rule can be made of an answer. */
  rules: RuleService | null;
  /** Both in one step, the answer first; absent: this side stores the rule then. */
  approveAndStore?(
    record: CommandRecord,
    draft: RuleDraft,
  ): Promise<Readonly<{ outcome: AnswerOutcome } & MadeRule>>;
}>;

/** The questions of a coordinator in this process. */
export function localApprovals(
  { approvals }: Pick<Coordinator, 'approvals'>,
  by: Approver,
  isWanted: (record: CommandRecord) => boolean = () => true,
): ApprovalsClient {
  return {
    pending: async () => (await approvals.pending()).filter(isWanted),
    answer: (record, answer) => approvals.answer(record.id, answer, by, questionHash(record)),
    judge: approvals.judge,
    preview: ({ id }) => approvals.preview(id).catch(() => null),
    me: by,
    rules: null,
  };
}
