import type { CommandRecord } from '@signalbox/core';

/** The record of a call that was just accepted and is not stored yet. */
export function newRecord({
  id,
  owner,
  call,
  context,
  submittedAt,
}: Pick<CommandRecord, 'id' | 'owner' | 'call' | 'context' | 'submittedAt'>): CommandRecord {
  return {
    id,
    ...(owner === undefined ? {} : { owner }),
    revision: 0,
    state: 'submitted',
    call,
    context,
    title: call.tool,
    callHash: null,
    verdict: null,
    mode: null,
    ruling: null,
    approval: null,
    claims: [],
    lease: null,
    submittedAt,
    approvedAt: null,
    queuedAt: null,
    startedAt: null,
    endedAt: null,
    result: null,
  };
}
