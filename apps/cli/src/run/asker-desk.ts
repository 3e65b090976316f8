import type { Approver, CommandRecord } from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import type { AskerDesk } from './approval-asker.ts';
import { questionHash } from './question-hash.ts';

/** The questions of a coordinator in this process. */
export function localDesk(
  { approvals }: Pick<Coordinator, 'approvals'>,
  by: Approver,
  isWanted: (record: CommandRecord) => boolean = () => true,
): AskerDesk {
  return {
    pending: async () => (await approvals.pending()).filter(isWanted),
    answer: (record, answer) => approvals.answer(record.id, answer, by, questionHash(record)),
    judge: approvals.judge,
    preview: ({ id }) => approvals.preview(id).catch(() => null),
    me: by,
    rules: null,
  };
}
