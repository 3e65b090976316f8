import { failureOf, type OutcomeKind } from '@signalbox/core';
import { expect } from 'vitest';
import type { EndingViews } from './receivers.ts';

/** Exit code that the audit log gives a shell line that never ran or did not end by itself (S001-22). */
const NO_EXIT = -1;

/** The last event, and the log line, of each kind of outcome. */
const LAST: Readonly<Record<OutcomeKind, readonly [event: string, log: string, level: number]>> = {
  completed: ['command_completed', 'tool_call_completed', 30],
  failed: ['command_failed', 'tool_call_failed', 50],
  conflict: ['command_failed', 'tool_call_failed', 50],
  timed_out: ['command_failed', 'tool_call_failed', 50],
  lost: ['command_failed', 'tool_call_failed', 50],
  denied: ['command_denied', 'tool_call_blocked', 40],
  blocked: ['command_denied', 'tool_call_blocked', 40],
  cancelled: ['command_cancelled', 'tool_call_cancelled', 30],
};

/** Every receiver says the same of a command: outcome, code, reason, rule, exit code, caller, ids and durations. */
export function expectAgreement({ http, history, explained, audit, log, events }: EndingViews): void {
  const { record } = http;
  const { result, context, ruling, verdict, lease } = record;
  if (result === null) throw new Error(`${record.id} has no result`);
  const { outcome, exitCode, latencyMs, durationMs } = result;
  const failure = failureOf(outcome);
  expect.soft(result).toMatchObject({
    commandId: record.id,
    success: outcome.kind === 'completed',
    failure: failure ?? null,
    sessionId: context.sessionId,
    provider: context.provider,
  });
  // The API adds a word for the state to the stored record.
  const { status: _, ...stored } = { status: '', ...record };
  expect.soft(history).toEqual(stored);
  expect.soft(audit).toMatchObject({
    command_id: record.id,
    session_id: context.sessionId,
    provider: context.provider,
    tool: record.call.tool,
    result: outcome.kind,
    exit_code: exitCode ?? (record.call.tool === 'bash' ? NO_EXIT : null),
    error_code: failure?.code ?? null,
    error_category: failure?.category ?? null,
    error_detail: failure?.message ?? null,
    truncated: result.truncated,
    level: verdict?.level ?? null,
    rule: ruling?.rule ?? null,
    trust: context.trust,
    phase: context.phase,
    caller_id: context.callerId ?? null,
    fencing_token: lease?.fencingToken ?? null,
    latency_ms: latencyMs,
    duration_ms: durationMs,
    files: result.files.map(({ path, kind }) => ({ path, kind })),
  });
  if (explained !== null)
    expect.soft(explained.ruling).toMatchObject({ kind: ruling?.kind, rule: ruling?.rule });

  const [eventType, message, level] = LAST[outcome.kind];
  const of = { commandId: record.id, sessionId: context.sessionId, provider: context.provider };
  for (const event of events) expect.soft(event).toMatchObject({ ...of, title: record.title });
  const ending = events.at(-1);
  expect.soft(ending).toMatchObject({ type: eventType, tool: record.call.tool, durationMs, latencyMs });
  const toldWhy = failure?.visibility === 'hidden' ? 'failed inside Signalbox' : failure?.message;
  if (ending?.type === 'command_completed') expect.soft(ending.exitCode).toBe(exitCode);
  if (ending?.type === 'command_failed')
    expect.soft(ending).toMatchObject({
      outcome: outcome.kind,
      exitCode,
      reason: failure?.code,
      message: toldWhy,
    });
  if (ending?.type === 'command_denied')
    expect.soft(ending).toMatchObject({
      outcome: outcome.kind,
      rule: ruling?.rule ?? failure?.code,
      reason: failure?.message,
    });
  if (ending?.type === 'command_cancelled') expect.soft(ending.reason).toBe(failure?.message);

  const started = events.filter(({ type }) => type === 'command_started').length;
  const calls = log.filter(({ command_id: id }) => id === record.id);
  expect
    .soft(calls.map(({ msg }) => msg))
    .toEqual([...Array.from({ length: started }, () => 'tool_call_started'), message]);
  for (const line of calls)
    expect.soft(line).toMatchObject({
      command_id: record.id,
      provider: context.provider,
      tool_name: record.call.tool,
      trace_id: context.traceId ?? context.sessionId,
    });
  const last = calls.at(-1);
  expect.soft(last?.['level']).toBe(level);
  if (last !== undefined && 'latency_ms' in last) expect.soft(last['latency_ms']).toBe(latencyMs);
  expect.soft(started > 0).toBe(durationMs > 0 || lease !== null);
}
