import {
  type ApprovalBase,
  type CommandRecord,
  InvariantError,
  isAtLeast,
  type Outcome,
  type PendingApproval,
  type Reason,
  type Verdict,
} from '@signalbox/core';
import type { GateChainAnswer } from '../gates/gate-chain.ts';
import { withWithheld } from '../execution/judge-writes.ts';
import type { ActionOutcome, CommandEvent } from './command-event.ts';
import { cancelled, outcomeOfInterruption } from './outcome/outcome-of.ts';
import { refusals } from './outcome/refusals.ts';

const UNBOUND_LINK = 'runs-unbound-link';

/** The record with an event's facts. Its new state comes from the machine. */
export function recordAfter(record: CommandRecord, event: CommandEvent): CommandRecord {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events change nothing of the record
  switch (event.type) {
    case 'call.rejected':
      return { ...record, title: event.title, call: { ...record.call, args: event.args } };
    case 'call.classified':
      return { ...record, ...event.judged, ...gatesOf([], event.answer) };
    case 'gates.needed':
      return { ...record, ruling: event.ruling };
    case 'gates.answered':
      return { ...record, ...gatesOf(record.gates, event.answer) };
    case 'ruling.allowed':
      // A pending approval can't be answered any more.
      return { ...record, ruling: event.ruling, approval: null, approvedAt: event.at };
    case 'ruling.asked':
      return {
        ...record,
        verdict: raisedBy(event.approval.base, record.verdict),
        ruling: event.ruling,
        approval: event.approval,
        callHash: event.callHash,
        approvedAt: null,
      };
    case 'call.changed': {
      // A person wrote this one.
      const { suspects: _, ...asked } = record;
      return {
        ...asked,
        ...event.judged,
        gates: event.gates,
        verdict: raisedBy(event.approval.base, event.judged.verdict),
        ruling: event.ruling,
        approval: { ...event.approval, modifiedFrom: record.approval?.modifiedFrom ?? record.call },
      };
    }
    case 'approval.counted':
      return { ...record, approval: counted(record, event) };
    case 'approval.due':
      return { ...record, approval: { ...pendingOf(record), pausedAt: event.at } };
    case 'approval.extended': {
      const { pausedAt: _, ...approval } = pendingOf(record);
      return {
        ...record,
        approval: { ...approval, expiresAt: Math.max(approval.expiresAt, event.at) + event.ms },
      };
    }
    case 'approval.granted':
      return {
        ...record,
        approval: { ...counted(record, event), status: 'granted', by: event.by, answeredAt: event.at },
        approvedAt: event.at,
      };
    case 'question.answered':
      return {
        ...record,
        approval: {
          ...pendingOf(record),
          status: 'granted',
          by: event.by,
          answeredAt: event.at,
          answer: event.text,
        },
        approvedAt: event.at,
      };
    case 'queue.answered':
      // A command granted at once has not waited; it is queued and started in the same moment.
      return { ...record, queuedAt: event.answer.kind === 'waiting' ? event.at : null };
    case 'lease.exchanged':
      return { ...record, lease: event.lease, claims: event.lease.claims };
    case 'process.ended':
      // Nothing was committed: it is the same call, now known to change more.
      return {
        ...record,
        verdict: withWithheld(verdictOf(record), event.ran.withheld ?? []),
        lease: null,
        approvedAt: null,
        queuedAt: null,
        startedAt: null,
      };
    case 'start.allowed':
      return {
        ...record,
        lease: event.lease,
        queuedAt: record.queuedAt ?? event.at,
        startedAt: event.at,
      };
    case 'audit.written':
    case 'result.elsewhere':
      return { ...record, result: event.result, endedAt: event.result.endedAt };
    default:
      return record;
  }
}

/** Decisions of before a restart are replaced. */
function gatesOf(
  before: CommandRecord['gates'] = [],
  { decisions }: Pick<GateChainAnswer, 'decisions'> = { decisions: [] },
): Pick<CommandRecord, 'gates'> {
  const fresh = new Set(decisions.map(({ gate }) => gate));
  const gates = [...before.filter(({ gate }) => !fresh.has(gate)), ...decisions];
  return gates.length === 0 ? {} : { gates };
}

/** The record at its end, with the answer or the ruling that ended it. */
export function recordAtEnd(record: CommandRecord, event: CommandEvent): CommandRecord {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events change nothing of the record
  switch (event.type) {
    case 'call.rejected':
      return recordAfter(record, event);
    case 'command.ended':
      return {
        ...record,
        approval: event.approval ?? record.approval,
        ruling: event.ruling ?? record.ruling,
      };
    case 'approval.due': {
      const late = event.answerable && !isQuestion(record) ? { answerable: true } : {};
      return { ...record, approval: { ...pendingOf(record), ...late, status: 'expired' } };
    }
    case 'approval.refused': {
      const { by, reason, at } = event;
      const why = reason === undefined ? {} : { reason };
      return {
        ...record,
        approval: { ...pendingOf(record), ...why, status: 'refused', by, answeredAt: at },
      };
    }
    default:
      return record;
  }
}

/** The outcome of a command that an event ends before it ran, as shown to its provider. */
export function outcomeAtEnd(record: CommandRecord, event: CommandEvent): Outcome {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events change nothing of the record
  switch (event.type) {
    case 'call.rejected':
    case 'command.ended':
    case 'command.orphaned':
      return event.outcome;
    case 'question.answered':
    case 'command.resumed':
      return { kind: 'completed' };
    case 'cancel.requested':
      return cancelled(event.by, event.reason);
    case 'approval.refused':
      return isQuestion(record)
        ? refusals.declined(event.by, event.reason)
        : refusals.refused(event.by, event.reason);
    case 'approval.due':
      if (isQuestion(record)) return refusals.unanswered(pendingOf(record));
      return refusals.expired(pendingOf(record), event.answerable ? record.id : null);
    case 'wait.expired':
      return refusals.waitedTooLong(event.waitedMs);
    case 'lease.lost':
      return outcomeOfInterruption({ kind: 'lease-lost' });
    case 'queue.answered':
      if (event.answer.kind === 'refused') return refusals.queueFull(event.answer);
      break;
    default:
  }
  throw new InvariantError(`Cannot end ${record.id}: ${event.type} is no end`);
}

/** Whether its model asks a person something, in words. */
function isQuestion({ approval }: CommandRecord): boolean {
  return approval?.question !== undefined;
}

/** The pending approval, if any. */
export function openQuestion({ approval }: CommandRecord): PendingApproval | null {
  return approval?.status === 'pending' ? approval : null;
}

/** The approval request with one more approval. */
function counted(
  record: CommandRecord,
  { by, at }: ActionOutcome & { type: 'approval.counted' | 'approval.granted' },
): PendingApproval {
  const approval = pendingOf(record);
  return { ...approval, grants: [...approval.grants, { by, at }] };
}

function pendingOf(record: CommandRecord): PendingApproval {
  const approval = openQuestion(record);
  if (approval === null) throw new InvariantError(`Cannot answer ${record.id}: nothing was asked`);
  return approval;
}

function verdictOf({ id, verdict }: CommandRecord): Verdict {
  if (verdict === null) throw new InvariantError(`Cannot ask about ${id}: it was never judged`);
  return verdict;
}

/**
 * Raises the verdict by what only reading the files reveals: code behind a link that no approval can be bound to is
 * dangerous.
 */
function raisedBy<Known extends Verdict | null>(
  { unboundCode = [] }: ApprovalBase,
  verdict: Known,
): Known | Verdict {
  if (verdict === null || unboundCode.length === 0) return verdict;
  if (verdict.reasons.some(({ code }) => code === UNBOUND_LINK)) return verdict;
  const text = `runs code behind a link to another place, so it may change after you approve: ${unboundCode.join(', ')}`;
  const reason: Reason = { level: 'dangerous', code: UNBOUND_LINK, text };
  const level = isAtLeast(verdict.level, 'dangerous') ? verdict.level : 'dangerous';
  return { ...verdict, level, reasons: [reason, ...verdict.reasons] };
}
