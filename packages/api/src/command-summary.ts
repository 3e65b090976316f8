import type { Claim, CommandState, Event, Level, OutcomeKind } from '@signalbox/core';
import type { CommandView } from './operations/command.ts';
import { exitCodeText } from './text/exit-code-text.ts';

/** A command for screens that show many: only what events carry. */
export type CommandSummary = Readonly<{
  id: string;
  sessionId: string;
  provider: string;
  tool: string;
  title: string;
  state: CommandState;
  level: Level | null;
  claims: readonly Claim[];
  /** Commands ahead of it when it entered the queue; those that ended since no longer count. */
  blockers: readonly string[];
  submittedAt: number;
  /** When its approval was requested; null when none is pending. */
  askedAt: number | null;
  expiresAt: number | null;
  /** Why approval is needed; null when none is pending. */
  askedWhy: string | null;
  queuedAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  fencingToken: number | null;
  outcome: OutcomeKind | null;
  /** Why it did not complete: the failure's code, or the rule that denied it. */
  rule: string | null;
  /** Its failure's message; for a completed command the exit code, if that is not 0. */
  message: string | null;
}>;

/** Events of one command. */
export type SummaryEvent = Extract<Event, { readonly commandId: string }>;

type Ending = Pick<CommandSummary, 'outcome' | 'rule' | 'message'>;
const NOT_ASKED = { askedAt: null, expiresAt: null, askedWhy: null } as const;
const NOT_QUEUED = { queuedAt: null, startedAt: null, fencingToken: null } as const;
const NO_ENDING: Ending = { outcome: null, rule: null, message: null };

export function summaryOf(view: CommandView): CommandSummary {
  const { approval, context, lease } = view;
  // A command that was cancelled meanwhile keeps its request on record.
  const pending = view.state !== 'done' && approval?.status === 'pending' ? approval : null;
  return {
    id: view.id,
    sessionId: context.sessionId,
    provider: context.provider,
    tool: view.call.tool,
    title: view.title,
    state: view.state,
    level: view.verdict?.level ?? null,
    claims: view.claims,
    blockers: [],
    submittedAt: view.submittedAt,
    askedAt: pending?.firstRequestedAt ?? pending?.requestedAt ?? null,
    expiresAt: pending?.expiresAt ?? null,
    askedWhy: pending === null ? null : (view.ruling?.reason ?? ''),
    queuedAt: view.queuedAt,
    startedAt: view.startedAt,
    endedAt: view.endedAt,
    fencingToken: lease?.fencingToken ?? null,
    ...endingOf(view),
  };
}

/** In the words of its last event. */
function endingOf({ result, ruling }: CommandView): Ending {
  if (result === null) return NO_ENDING;
  const { outcome, exitCode } = result;
  switch (outcome.kind) {
    case 'completed':
      return { outcome: outcome.kind, rule: null, message: exitCodeText(exitCode) };
    case 'cancelled':
      return { outcome: outcome.kind, rule: null, message: outcome.failure.message };
    case 'denied':
    case 'blocked':
      return {
        outcome: outcome.kind,
        rule: ruling?.rule ?? outcome.failure.code,
        message: outcome.failure.message,
      };
    case 'timed_out':
      return { outcome: outcome.kind, rule: 'timeout', message: outcome.failure.message };
    case 'failed':
    case 'conflict':
    case 'lost':
      return { outcome: outcome.kind, rule: outcome.failure.code, message: outcome.failure.message };
  }
}

/**
 * A command after one of its events. Undefined when the event changes nothing, or belongs to an unknown command. A
 * start adds an unknown command, since it may have waited behind those that a snapshot lists.
 */
export function summaryAfter(
  before: CommandSummary | undefined,
  event: SummaryEvent,
): CommandSummary | undefined {
  if (event.type === 'command_submitted')
    return before === undefined ? submitted(event, event.tool) : undefined;
  if (before === undefined)
    return event.type === 'command_started' ? { ...submitted(event, ''), ...started(event) } : undefined;
  // A done command stays done, even when events are repeated.
  if (before.state === 'done') return undefined;
  switch (event.type) {
    case 'command_classified':
      // Also after a run whose commit would exceed the approval: it has not been queued since.
      return {
        ...before,
        ...NOT_QUEUED,
        title: event.title,
        state: 'classified',
        level: event.verdict.level,
      };
    case 'approval_requested': {
      const { title, level, expiresAt, at, reason: askedWhy } = event;
      const askedAt = before.askedAt ?? at;
      return { ...before, title, state: 'awaiting_approval', level, askedAt, expiresAt, askedWhy };
    }
    case 'approval_extended':
      return { ...before, expiresAt: event.expiresAt };
    case 'command_approved':
      return { ...before, ...NOT_ASKED, title: event.title, state: 'approved' };
    case 'command_queued': {
      const { claims, blockers } = event;
      return { ...before, state: 'queued', claims, blockers, queuedAt: before.queuedAt ?? event.at };
    }
    case 'command_started':
      return { ...before, ...started(event) };
    case 'command_completed':
      return ended(before, event, {
        outcome: 'completed',
        rule: null,
        message: exitCodeText(event.exitCode),
      });
    case 'command_failed':
      return ended(before, event, {
        outcome: event.outcome,
        rule: event.reason,
        message: event.message,
      });
    case 'command_denied':
      return ended(before, event, { outcome: event.outcome, rule: event.rule, message: event.reason });
    case 'command_cancelled':
      return ended(before, event, { outcome: 'cancelled', rule: null, message: event.reason });
    case 'question_answered':
    case 'approval_counted':
    case 'command_prioritized':
    case 'approval_overdue':
    case 'command_output':
    case 'hallucination_suspect':
    case 'command_rolled_back':
    case 'gate_decided':
    case 'network_connection':
    case 'tool_call_start':
    case 'tool_call_result':
      return undefined;
    default:
      // An event of a newer server changes nothing.
      event satisfies never;
      return undefined;
  }
}

type Introduction = Readonly<{
  commandId: string;
  sessionId: string;
  provider: string;
  title: string;
  at: number;
}>;

function submitted(
  { commandId, sessionId, provider, title, at }: Introduction,
  tool: string,
): CommandSummary {
  return {
    id: commandId,
    sessionId,
    provider,
    tool,
    title,
    state: 'submitted',
    level: null,
    claims: [],
    blockers: [],
    submittedAt: at,
    endedAt: null,
    ...NOT_ASKED,
    ...NOT_QUEUED,
    ...NO_ENDING,
  };
}

function started({ claims, fencingToken, at }: Event & { readonly type: 'command_started' }) {
  return { state: 'running', claims, blockers: [], fencingToken, startedAt: at } as const;
}

function ended(
  before: CommandSummary,
  { at, title }: Readonly<{ at: number; title: string }>,
  ending: Ending,
): CommandSummary {
  return { ...before, ...NOT_ASKED, ...ending, title, state: 'done', endedAt: at, blockers: [] };
}
