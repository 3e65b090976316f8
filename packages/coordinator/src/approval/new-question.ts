import type { ApprovalBase, CallHash, CommandRecord, PendingApproval, PersonQuestion } from '@signalbox/core';
import type { RepeatReason } from '../command/runner-dependencies.ts';
import { hashOfQuestion } from './call-hash.ts';

/** The record keeps the last 20 repetitions of an approval request. */
const MAX_REPEATS = 20;

/** Creates an approval request for the record's call, bound to the current state of its files. */
export function newQuestion(
  { approval: before }: CommandRecord,
  asked: {
    readonly callHash: CallHash;
    readonly approvers: number;
    readonly why: RepeatReason | undefined;
    readonly base: ApprovalBase;
    readonly at: number;
    readonly expiryMs: number;
    readonly question: PersonQuestion | null;
  },
): PendingApproval {
  const { callHash, approvers, why, base, at, expiryMs, question } = asked;
  const again = before?.again ?? [];
  return {
    status: 'pending',
    callHash: hashOfQuestion(callHash, base),
    requestedAt: at,
    firstRequestedAt: before?.firstRequestedAt ?? before?.requestedAt ?? at,
    expiresAt: at + expiryMs,
    approvers,
    grants: [],
    ...(question === null ? {} : { question }),
    base,
    again: why === undefined ? again : [...again, { ...why, at }].slice(-MAX_REPEATS),
    ...(before?.modifiedFrom === undefined ? {} : { modifiedFrom: before.modifiedFrom }),
  };
}
