import { type Approver, type CommandRecord, type CommandResult, type Mode, SessionId } from '@signalbox/core';
import type { AuditEntry } from '../audit/audit-line.ts';
import { hashOutputs } from '../audit/output-hashes.ts';
import type { Redact } from './command-result.ts';

type Circumstances = {
  readonly mode: Mode;
  /** Whether its tool takes a shell line. */
  readonly isShell: boolean;
  readonly redact: Redact;
};

/** Exit code of a shell line that never ran: `null` is for tools without one (S001-22). */
const NEVER_RAN = -1;

/** The audit entry of a command that ends with this result. */
export function auditEntryOf(
  record: CommandRecord,
  result: CommandResult,
  { mode, isShell, redact }: Circumstances,
): AuditEntry {
  const { approval, context, ruling } = record;
  const person = approval?.status === 'granted' ? approval.by : null;
  return {
    ts: instant(result.endedAt),
    command_id: record.id,
    session_id: SessionId.parse(context.sessionId),
    provider: context.provider,
    tool: record.call.tool,
    call: redact.json(record.call.args),
    result: result.outcome.kind,
    mode,
    level: record.verdict?.level ?? null,
    rule: ruling?.rule ?? null,
    trust: context.trust,
    approved_by: person?.name ?? (record.approvedAt === null ? null : 'auto'),
    approved_over: person?.channel ?? null,
    answers: answersOf(approval),
    asked_again: (approval?.again ?? []).map(({ because, paths, at }) => ({
      because,
      paths: [...paths],
      ts: instant(at),
    })),
    exit_code: result.exitCode ?? (isShell ? NEVER_RAN : null),
    outputs: hashOutputs(result),
    truncated: result.truncated,
    error_code: result.failure?.code ?? null,
    error_category: result.failure?.category ?? null,
    error_detail: result.failure?.message ?? null,
    files: result.files.map(({ path, kind }) => ({ path, kind })),
    ...(result.git === undefined ? {} : { git: [...result.git] }),
    ...(result.network === undefined ? {} : { network: [...result.network] }),
    ...(result.reusedFrom === undefined ? {} : { cached: true, cached_from: result.reusedFrom.commandId }),
    ...(result.rollback === undefined ? {} : { rollback: result.rollback }),
    fencing_token: record.lease?.fencingToken ?? null,
    latency_ms: result.latencyMs,
    duration_ms: result.durationMs,
    phase: context.phase,
    caller_id: context.callerId ?? null,
    ...judgedOf(record),
  };
}

function judgedOf({
  gates = [],
}: CommandRecord): Pick<AuditEntry, 'adversarial_policy_decision' | 'claim_source'> {
  const judged = gates.find((one) => one.gate === 'adversarial');
  if (judged?.gate !== 'adversarial') return { adversarial_policy_decision: null, claim_source: null };
  const { decision, policy, provider, ms, phase, shadow, cached, reason, claimSource } = judged;
  return {
    adversarial_policy_decision: { decision, policy, provider, ms, phase, shadow, cached, reason },
    claim_source:
      claimSource === null
        ? null
        : {
            kind: claimSource.kind,
            name: claimSource.name,
            command_id: claimSource.commandId,
            text: claimSource.text,
          },
  };
}

function answersOf(approval: CommandRecord['approval']): NonNullable<AuditEntry['answers']> {
  if (approval === null) return [];
  const of = (
    { name, channel }: Approver,
    answer: 'granted' | 'refused' | 'answered',
    { at }: Readonly<{ at: number }>,
  ) => ({
    by: name,
    over: channel,
    answer,
    ts: instant(at),
  });
  const refusal =
    approval.status === 'refused' ? [of(approval.by, 'refused', { at: approval.answeredAt })] : [];
  const answered =
    approval.status === 'granted' && approval.answer !== undefined
      ? [{ ...of(approval.by, 'answered', { at: approval.answeredAt }), text: approval.answer }]
      : [];
  return [...answered, ...approval.grants.map(({ by, at }) => of(by, 'granted', { at })), ...refusal];
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
