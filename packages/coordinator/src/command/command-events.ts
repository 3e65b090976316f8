import type { CommandRecord, CommandResult, GateDecision, NewEvent } from '@signalbox/core';
import type { CommandEvent } from './command-event.ts';

/** The public events of a step, from the record before and after it. Everything is already redacted. */
export function eventsOf(
  event: CommandEvent,
  {
    before,
    record,
    pid,
  }: { readonly before: CommandRecord; readonly record: CommandRecord; readonly pid: number },
): readonly NewEvent[] {
  const of = {
    commandId: record.id,
    sessionId: record.context.sessionId,
    provider: record.context.provider,
    title: record.title,
  };
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of the other events nobody is told
  switch (event.type) {
    case 'call.classified':
      return [
        { type: 'command_classified', ...of, verdict: event.judged.verdict },
        ...(event.judged.suspects === undefined
          ? []
          : [{ type: 'hallucination_suspect', ...of, suspects: event.judged.suspects } as const]),
        ...decided(of, event.answer?.decisions),
      ];
    case 'gates.answered':
      return decided(of, event.answer.decisions);
    case 'ruling.allowed':
      return [{ type: 'command_approved', ...of, by: 'auto', rule: event.ruling.rule, modified: false }];
    case 'ruling.asked':
      return [requestOf(record, event)];
    case 'call.changed':
      // The person who changed it approves it in the same step; a request is published only if a second person must
      // agree.
      return [
        ...decided(of, event.gates),
        ...(event.approval.approvers > 1 ? [requestOf(record, event)] : []),
      ];
    case 'approval.counted':
      return [
        {
          type: 'approval_counted',
          ...of,
          by: event.by,
          given: record.approval?.grants.length ?? 0,
          approvers: record.approval?.approvers ?? 1,
        },
      ];
    case 'approval.due':
      if (before.approval === record.approval || record.approval?.status !== 'pending') return [];
      return [{ type: 'approval_overdue', ...of, expiresAt: record.approval?.expiresAt ?? event.at }];
    case 'question.answered':
      return [{ type: 'question_answered', ...of, by: event.by, answer: event.text }];
    case 'approval.extended':
      return [
        { type: 'approval_extended', ...of, by: event.by, expiresAt: record.approval?.expiresAt ?? event.at },
      ];
    case 'approval.granted':
      return [
        {
          type: 'command_approved',
          ...of,
          by: event.by,
          rule: record.ruling?.rule ?? 'asked',
          modified: record.approval?.modifiedFrom !== undefined,
        },
      ];
    case 'queue.answered': {
      if (before.state !== 'approved' || record.state !== 'queued') return [];
      const blockers = event.answer.kind === 'waiting' ? [...event.answer.blockers] : [];
      return [{ type: 'command_queued', ...of, claims: [...record.claims], blockers }];
    }
    case 'start.allowed':
      return [
        {
          type: 'command_started',
          ...of,
          command: commandOf(record),
          pid,
          fencingToken: event.lease.fencingToken,
          claims: [...event.lease.claims],
          waitedMs: Math.max(0, event.at - (record.queuedAt ?? event.at)),
        },
      ];
    case 'process.ended':
      // It would change what was not agreed to, which is now known.
      if (record.state !== 'classified' || record.verdict === null) return [];
      return [{ type: 'command_classified', ...of, verdict: record.verdict }];
    case 'audit.written':
      return [...rollbackOf(record, event.result), endingOf(record, event.result)];
    default:
      return [];
  }
}

function decided(
  of: Pick<Extract<NewEvent, { type: 'gate_decided' }>, 'commandId' | 'sessionId' | 'provider' | 'title'>,
  decisions: readonly GateDecision[] = [],
): readonly NewEvent[] {
  return decisions.map((decision) => ({ type: 'gate_decided', ...of, decision }));
}

/** The title without the tool's name in front. */
function commandOf({ title }: CommandRecord): string {
  return title.slice(title.indexOf(' ') + 1);
}

function requestOf(
  record: CommandRecord,
  { ruling, approval }: CommandEvent & { type: 'ruling.asked' | 'call.changed' },
): NewEvent {
  const again = approval.again.at(-1);
  return {
    type: 'approval_requested',
    commandId: record.id,
    sessionId: record.context.sessionId,
    provider: record.context.provider,
    title: record.title,
    level: record.verdict?.level ?? 'warning',
    reason: ruling.reason,
    callHash: approval.callHash,
    expiresAt: approval.expiresAt,
    approvers: approval.approvers,
    ...(again === undefined ? {} : { again }),
    ...(approval.question === undefined ? {} : { question: approval.question }),
  };
}

export function submittedEvent(record: CommandRecord): NewEvent {
  return {
    type: 'command_submitted',
    commandId: record.id,
    sessionId: record.context.sessionId,
    provider: record.context.provider,
    title: record.title,
    tool: record.call.tool,
  };
}

function rollbackOf(
  { id, context, title }: CommandRecord,
  { rollback, exitCode, failure }: CommandResult,
): readonly NewEvent[] {
  if (rollback === undefined) return [];
  const { sessionId, provider } = context;
  const reason = failure?.message ?? 'its exit code is set to discard its changes';
  return [
    {
      type: 'command_rolled_back',
      commandId: id,
      sessionId,
      provider,
      title,
      how: rollback,
      exitCode,
      reason,
    },
  ];
}

function endingOf(record: CommandRecord, result: NonNullable<CommandRecord['result']>): NewEvent {
  const { outcome, exitCode, durationMs, latencyMs, reusedFrom, filtered } = result;
  const reused = reusedFrom === undefined ? {} : { reusedFrom };
  const { thought } = record.context;
  const of = {
    commandId: record.id,
    sessionId: record.context.sessionId,
    provider: record.context.provider,
    title: record.title,
    tool: record.call.tool,
    durationMs,
    latencyMs,
    ...(thought === undefined ? {} : { thought }),
  };
  const shortened = filtered === undefined ? {} : { filtered };
  const ran = { exitCode, ...shortened };
  switch (outcome.kind) {
    case 'completed':
      return { type: 'command_completed', ...of, ...reused, ...ran };
    case 'denied':
    case 'blocked':
      return {
        type: 'command_denied',
        ...of,
        outcome: outcome.kind,
        rule: record.ruling?.rule ?? outcome.failure.code,
        reason: outcome.failure.message,
      };
    case 'cancelled':
      return { type: 'command_cancelled', ...of, reason: outcome.failure.message, ...shortened };
    case 'failed':
    case 'conflict':
    case 'timed_out':
    case 'lost':
      return {
        type: 'command_failed',
        ...of,
        ...reused,
        outcome: outcome.kind,
        ...ran,
        // The term in S003-52.
        reason: outcome.kind === 'timed_out' ? 'timeout' : outcome.failure.code,
        message:
          outcome.failure.visibility === 'hidden' ? 'failed inside Signalbox' : outcome.failure.message,
      };
  }
}
