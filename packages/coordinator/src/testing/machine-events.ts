import { type CommandResult, CallHash, FencingToken } from '@signalbox/core';
import type { GateDecision, PendingApproval, Ruling, Verdict } from '@signalbox/core';
import { aCall, aCommandRecord, aLeaseId, aProviderId, ended, SOME_TIME } from '@signalbox/core/testing';
import { advance, type CommandSnapshot, restore, stateName } from '../command/advance.ts';
import type { CommandEvent } from '../command/command-event.ts';
import type { CallJudgement } from '../judging/judged.ts';

export const HASH = CallHash.parse('a'.repeat(64));
export const OTHER_HASH = CallHash.parse('b'.repeat(64));
export const VERDICT: Verdict = {
  level: 'warning',
  reasons: [{ level: 'warning', code: 'writes', text: 'writes a file' }],
  effects: [],
  runsRepositoryCode: false,
  composed: false,
};
const ALLOW: Ruling = { kind: 'allow', rule: 'r', source: 'built in', reason: 'fine' };
const ASK: Ruling = { ...ALLOW, kind: 'ask', approvers: 1 };
const judged: CallJudgement = {
  call: aCall(),
  callHash: HASH,
  title: 'echo hello',
  verdict: VERDICT,
  mode: 'ALERT',
  claims: [],
};
export const pending: PendingApproval = {
  status: 'pending',
  callHash: HASH,
  requestedAt: SOME_TIME,
  expiresAt: SOME_TIME + 1000,
  approvers: 1,
  grants: [],
  base: { files: [], unbound: [] },
  again: [],
};
export const by = { name: 'ana', channel: 'test' } as const;
export const ben = { name: 'ben', channel: 'test' } as const;
export const at = SOME_TIME + 5;
const result = ended(aCommandRecord()).result as CommandResult;
const lease = {
  leaseId: aLeaseId(),
  commandId: aCommandRecord().id,
  provider: aProviderId(),
  claims: [],
  fencingToken: FencingToken.parse(7),
  grantedAt: SOME_TIME,
  expiresAt: SOME_TIME + 30_000,
};
const DECISION: GateDecision = {
  gate: 'utility',
  decision: 'allow',
  shadow: false,
  reason: 'useful',
  ms: 0,
  terms: {},
};
const outcome = { kind: 'completed' } as const;
const cause = new Error('gone');
const withheld = [
  { effect: { kind: 'write', path: 'x', certainty: 'certain' }, reason: VERDICT.reasons[0] },
] as never;
const changed = { ...judged, call: aCall({ args: { text: 'less' } }), callHash: OTHER_HASH };

/** One of every kind and guard. */
export const EVENTS = {
  received: { type: 'call.received', call: aCall() },
  rejected: { type: 'call.rejected', title: 't', args: {}, outcome },
  classified: { type: 'call.classified', judged },
  gatesNeeded: { type: 'gates.needed', ruling: ASK },
  gatesPassed: { type: 'gates.answered', answer: { decisions: [DECISION], notes: ['slow'] } },
  allowed: { type: 'ruling.allowed', ruling: ALLOW, at },
  needed: { type: 'approval.needed', ruling: ASK },
  asked: { type: 'ruling.asked', ruling: ASK, callHash: HASH, approval: pending, answered: false },
  askedLate: { type: 'ruling.asked', ruling: ASK, callHash: HASH, approval: pending, answered: true },
  given: { type: 'approval.given', by, expect: HASH },
  void: { type: 'answer.void', answer: { kind: 'same-person' } },
  counted: { type: 'approval.counted', at, by: ben },
  granted: { type: 'approval.granted', at, by },
  refused: { type: 'approval.refused', by, expect: HASH, at },
  extended: { type: 'approval.extended', by, expect: HASH, ms: 1000, at },
  dueSoon: { type: 'approval.due', at, answerable: false, pauses: false },
  due: { type: 'approval.due', at: SOME_TIME + 2000, answerable: false, pauses: false },
  duePauses: { type: 'approval.due', at: SOME_TIME + 2000, answerable: true, pauses: true },
  changed: {
    type: 'call.changed',
    judged: changed,
    gates: [],
    ruling: ASK,
    approval: { ...pending, callHash: OTHER_HASH },
  },
  policy: { type: 'policy.changed' },
  resumed: { type: 'command.resumed' },
  entered: { type: 'queue.answered', answer: { kind: 'waiting', blockers: [] }, at },
  grantedNow: { type: 'queue.answered', answer: { kind: 'granted', lease }, at },
  full: { type: 'queue.answered', answer: { kind: 'refused', waiting: 10, limit: 10 }, at },
  leased: { type: 'lease.granted', lease },
  lost: { type: 'lease.lost', lease },
  stale: { type: 'wait.expired', waitedMs: 1 },
  start: { type: 'start.allowed', lease, at },
  wanted: { type: 'claims.wanted', claims: [], placeless: true },
  released: { type: 'claims.released' },
  exchanged: { type: 'lease.exchanged', lease },
  dropped: { type: 'claims.dropped' },
  dead: { type: 'process.ended', ran: { outcome, answer: undefined } },
  deadWithheld: { type: 'process.ended', ran: { outcome, answer: undefined, withheld } },
  reused: { type: 'result.reused', result },
  ran: { type: 'execution.ended', result },
  unstarted: { type: 'execution.failed', cause },
  cancel: { type: 'cancel.requested', by: 'ana', reason: 'no', haste: 'gently' },
  over: { type: 'command.ended', outcome },
  orphaned: { type: 'command.orphaned', outcome },
  taken: { type: 'command.taken' },
  elsewhere: { type: 'result.elsewhere', result },
  audited: { type: 'audit.written', result },
  auditedHalf: { type: 'audit.written', result: { ...result, rollback: 'rollback_failed' } },
  closing: { type: 'coordinator.closing' },
  failed: { type: 'runner.failed', cause, answering: false },
  failedAnswer: { type: 'runner.failed', cause, answering: true },
} as const satisfies Record<string, CommandEvent>;
export type EventName = keyof typeof EVENTS;
export const NAMES = Object.keys(EVENTS) as EventName[];
export const TO_RUNNING = ['classified', 'allowed', 'entered', 'leased', 'start'] as const;

export function after(...names: readonly EventName[]): CommandSnapshot {
  return names.reduce((snapshot, name) => {
    const next = advance(snapshot, EVENTS[name]);
    if (next === null) throw new Error(`${name} may not happen in ${stateName(snapshot)}`);
    return next.snapshot;
  }, restore(aCommandRecord()));
}
