import type { Call, CallContext } from '../commands/call.ts';
import type { CommandRecord } from '../commands/command.ts';
import type { NewEvent } from '../event.ts';
import type { Failure } from '../errors/failure.ts';
import { CommandId, LeaseId, ProviderId, SessionId } from '../id.ts';
import type { Outcome, OutcomeKind } from '../commands/outcome.ts';
import type { QueueEntry } from '../ports/scheduler.ts';
import type { CommandResult } from '../commands/result.ts';

/** Submission time of the builders' commands: 2026-01-01T00:00:00Z. */
export const SOME_TIME = Date.UTC(2026, 0, 1);

/** Ids that tests can read: `aCommandId('w1')` is `cmd_w1xxxxxxxxxx`. At most 12 of a-z and 0-9. */
export function aCommandId(label = 'a'): CommandId {
  return CommandId.parse(`cmd_${idText(label)}`);
}

export function aSessionId(label = 'a'): SessionId {
  return SessionId.parse(`ses_${idText(label)}`);
}

export function aLeaseId(label = 'a'): LeaseId {
  return LeaseId.parse(`lse_${idText(label)}`);
}

/** Ids don't have the letters i, l, o and u: j, k, p and v replace them. */
function idText(label: string): string {
  return label.replaceAll(/[ilou]/g, (letter) => STAND_INS[letter] ?? letter).padEnd(12, 'x');
}

const STAND_INS: Readonly<Record<string, string>> = { i: 'j', l: 'k', o: 'p', u: 'v' };

export function aProviderId(name = 'anthropic'): ProviderId {
  return ProviderId.parse(name);
}

export function aCall(overrides: Partial<Call> = {}): Call {
  return { callId: 'call-1', tool: 'echo', args: { text: 'hello' }, ...overrides };
}

export function aCallContext(overrides: Partial<CallContext> = {}): CallContext {
  return {
    sessionId: aSessionId(),
    provider: aProviderId(),
    phase: 'executor',
    trust: 'provisional',
    priority: 100,
    asking: 'wait',
    ...overrides,
  };
}

/** A command as first stored: submitted, revision 1. */
export function aCommandRecord(overrides: Partial<CommandRecord> = {}): CommandRecord {
  return {
    id: aCommandId(),
    revision: 1,
    state: 'submitted',
    call: aCall(),
    context: aCallContext(),
    title: 'echo hello',
    callHash: null,
    verdict: null,
    mode: null,
    ruling: null,
    approval: null,
    claims: [],
    lease: null,
    submittedAt: SOME_TIME,
    approvedAt: null,
    queuedAt: null,
    startedAt: null,
    endedAt: null,
    result: null,
    ...overrides,
  };
}

/** The next revision of a record, with this ending; it ran for 40 ms after waiting for 60. */
export function ended(
  record: CommandRecord,
  {
    outcome = 'completed',
    endedAt = record.submittedAt + 100,
  }: Readonly<{ outcome?: OutcomeKind | undefined; endedAt?: number }> = {},
): CommandRecord {
  return {
    ...record,
    revision: record.revision + 1,
    state: 'done',
    endedAt,
    result: aResult(record, outcome, { endedAt }),
  };
}

function aResult(
  record: CommandRecord,
  kind: OutcomeKind,
  { endedAt }: Readonly<{ endedAt: number }>,
): CommandResult {
  const outcome: Outcome = kind === 'completed' ? { kind } : { kind, failure: aFailure() };
  return {
    commandId: record.id,
    callId: record.call.callId,
    sessionId: record.context.sessionId,
    provider: record.context.provider,
    tool: record.call.tool,
    title: record.title,
    success: kind === 'completed',
    outcome,
    content: 'hello',
    output: 'hello',
    failure: outcome.kind === 'completed' ? null : outcome.failure,
    exitCode: null,
    stdout: '',
    stderr: '',
    truncated: false,
    spillFiles: {},
    files: [],
    usage: null,
    isolation: null,
    submittedAt: record.submittedAt,
    endedAt,
    latencyMs: endedAt - record.submittedAt,
    durationMs: 40,
    waitedMs: 60,
    approvalMs: 0,
  };
}

export function aFailure(overrides: Partial<Failure> = {}): Failure {
  return {
    code: 'not-found',
    category: 'PermanentFailure',
    message: 'Cannot read "a.ts": it does not exist',
    visibility: 'visible',
    ...overrides,
  };
}

/** Some output of a command: an event without a record. */
export function anOutputEvent(output = 'hello\n', commandId: CommandId = aCommandId()): NewEvent {
  return { type: 'command_output', commandId, provider: aProviderId(), stream: 'stdout', output };
}

export function aSubmittedEvent(record: CommandRecord = aCommandRecord()): NewEvent {
  return {
    type: 'command_submitted',
    commandId: record.id,
    sessionId: record.context.sessionId,
    provider: record.context.provider,
    title: record.title,
    tool: record.call.tool,
  };
}

/** Requests nothing but a slot. */
export function aQueueEntry(overrides: Partial<QueueEntry> = {}): QueueEntry {
  return { commandId: aCommandId(), provider: aProviderId(), claims: [], priority: 100, ...overrides };
}
