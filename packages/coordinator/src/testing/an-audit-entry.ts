import { CommandId, ProviderId, SessionId } from '@signalbox/core';
import type { AuditEntry } from '../audit/audit-line.ts';

/** The audit entry of `cmd_a00000000007`, for 7. */
export function anAuditEntry(number: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    ts: '2026-01-01T00:00:00.000Z',
    command_id: CommandId.parse(`cmd_a${String(number).padStart(11, '0')}`),
    session_id: SessionId.parse('ses_a00000000000'),
    provider: ProviderId.parse('openai'),
    tool: 'echo',
    call: { text: `call ${number}` },
    result: 'completed',
    mode: 'NORMAL',
    level: 'safe',
    rule: 'safe-auto',
    trust: 'provisional',
    approved_by: 'auto',
    approved_over: null,
    exit_code: null,
    outputs: { stdout: null, stderr: null, output: null },
    truncated: false,
    error_code: null,
    error_category: null,
    error_detail: null,
    files: [],
    fencing_token: 1,
    latency_ms: 1,
    duration_ms: 1,
    phase: 'executor',
    caller_id: null,
    adversarial_policy_decision: null,
    claim_source: null,
    ...more,
  };
}
