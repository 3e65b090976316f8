import type { Approver, CommandRecord, Files } from '@signalbox/core';
import type { Coordinator } from '@signalbox/coordinator';
import type { Records } from '../house.ts';
import type { Remote } from '../remote.ts';
import type { AskerDesk } from './approval-asker.ts';
import { questionHash } from './question-hash.ts';

type Reader = Pick<Files, 'readText'>;

/** The questions of a coordinator in this process. */
export function localDesk(
  { approvals }: Pick<Coordinator, 'approvals'>,
  files: Reader,
  by: Approver,
  isWanted: (record: CommandRecord) => boolean = () => true,
): AskerDesk {
  return {
    pending: async () => (await approvals.pending()).filter(isWanted),
    answer: (record, answer) => approvals.answer(record.id, answer, by, questionHash(record)),
    judge: approvals.judge,
    before: (record) => textBefore(record, files),
    me: by,
    rules: null,
  };
}

/** The questions of a coordinator in another process. */
export function remoteDesk(
  remote: Remote,
  { store, files }: Pick<Records, 'store' | 'files'>,
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
    before: (record) => textBefore(record, files),
    me: by,
    rules: null,
  };
}

/** Undefined for calls that write no whole file. */
async function textBefore({ call }: CommandRecord, files: Reader): Promise<string | null | undefined> {
  const { path, content } = call.args;
  if (typeof path !== 'string' || typeof content !== 'string') return undefined;
  try {
    return (await files.readText(path)).text;
  } catch {
    return null;
  }
}
