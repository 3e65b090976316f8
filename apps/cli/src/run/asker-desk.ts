import type { Approver, CommandRecord } from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import type { Records } from '../house.ts';
import type { Remote } from '../remote.ts';
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

/** The questions of a coordinator in another process. */
export function remoteDesk(
  remote: Remote,
  { store }: Pick<Records, 'store'>,
  by: Approver,
  isWanted: (record: CommandRecord) => boolean,
): AskerDesk {
  return {
    async pending() {
      const records = await store.list({ states: ['awaiting_approval'], limit: 1000 });
      return records
        .filter(isWanted)
        .toSorted((a, b) => (a.approval?.expiresAt ?? 0) - (b.approval?.expiresAt ?? 0));
    },
    answer: (record, answer) => remote.answer(record.id, answer, by, questionHash(record)),
    judge: remote.judge,
    preview: ({ id }) => remote.preview(id).catch(() => null),
    me: by,
    rules: null,
  };
}
