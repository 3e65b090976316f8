import type { CommandRecord } from '@signalbox/core';

/** A call that has just come in, before anything is stored of it. */
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
