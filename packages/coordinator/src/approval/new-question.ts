import type { ApprovalBase, CallHash, CommandRecord, PendingApproval } from '@signalbox/core';
import type { RepeatReason } from '../command/runner-dependencies.ts';
import { hashOfQuestion } from './call-hash.ts';

/** Of the times that one question was put anew the record keeps the last. */
const MOST_AGAIN = 20;

/** A fresh question about the call of that record, bound to the files as they stand now. */
export function newQuestion(
  { approval: before }: CommandRecord,
  asked: {
    readonly callHash: CallHash;
    readonly approvers: number;
    readonly why: RepeatReason | undefined;
    readonly base: ApprovalBase;
    readonly at: number;
    readonly expiryMs: number;
  },
): PendingApproval {
  const { callHash, approvers, why, base, at, expiryMs } = asked;
  const again = before?.again ?? [];
  return {
    status: 'pending',
    callHash: hashOfQuestion(callHash, base),
    requestedAt: at,
    firstRequestedAt: before?.firstRequestedAt ?? before?.requestedAt ?? at,
    expiresAt: at + expiryMs,
    approvers,
    grants: [],
    base,
    again: why === undefined ? again : [...again, { ...why, at }].slice(-MOST_AGAIN),
    ...(before?.modifiedFrom === undefined ? {} : { modifiedFrom: before.modifiedFrom }),
  };
}
