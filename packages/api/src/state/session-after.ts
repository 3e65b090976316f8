import { addSavings, addUsage, type Event, NO_SAVINGS, NO_USAGE, savedBySession } from '@signalbox/core';
import type { RunView } from '../operations/run.ts';
import type { SessionView } from '../operations/session.ts';

/** Events of a session, without those of its commands. */
export type SessionChange = Exclude<
  Extract<Event, { readonly sessionId: string }>,
  { readonly commandId: string }
>;

/** A session after one of its events. Undefined when the event changes nothing, or the session is unknown. */
export function sessionAfter(
  session: SessionView | undefined,
  event: SessionChange,
): SessionView | undefined {
  if (event.type === 'session_started') return begun(event);
  if (session === undefined) return undefined;
  const saved = addSavings(session.saved, savedBySession(event));
  switch (event.type) {
    case 'turn_started':
      return { ...session, since: event.at, retryAt: null, isResting: false, waitsFor: null };
    case 'session_resting':
      return { ...session, since: event.at, isResting: true };
    case 'session_resumed':
      return { ...session, since: event.at, retryAt: null, waitsFor: null, resumed: session.resumed + 1 };
    case 'session_waiting':
      return { ...session, since: event.at, retryAt: null, isResting: false, waitsFor: event.needs };
    case 'turn_failed': {
      const { at, retryInMs } = event;
      return { ...session, since: at, retryAt: retryInMs === null ? null : at + retryInMs };
    }
    case 'message_said':
      return { ...session, messages: session.messages + 1 };
    case 'requirements_lifted':
      return undefined;
    case 'turns_requested':
      return { ...session, needsTurns: true, criticalFailure: event.failure ?? null };
    case 'turns_granted':
      return { ...session, needsTurns: false, criticalFailure: null };
    case 'turn_ended': {
      const { turn, calls, usage, costUsd, says } = event;
      return {
        ...session,
        turns: turn,
        calls: session.calls + calls,
        context: { ...session.context, tokens: usage.inputTokens + usage.outputTokens },
        usage: addUsage(session.usage, usage),
        saved,
        costUsd: costUsd === null ? session.costUsd : (session.costUsd ?? 0) + costUsd,
        says: says === '' ? session.says : says,
        since: event.at,
        retryAt: null,
      };
    }
    case 'calls_saved':
      return { ...session, saved };
    case 'context_compressed': {
      const { of, compressions } = session.context;
      const isShorter = event.how !== 'none';
      const context = { of, tokens: event.afterTokens, compressions: compressions + Number(isShorter) };
      return { ...session, saved, context };
    }
    case 'model_request_ended':
      return {
        ...session,
        usage: addUsage(session.usage, event.usage),
        costUsd: event.costUsd === null ? session.costUsd : (session.costUsd ?? 0) + event.costUsd,
      };
    case 'session_ended': {
      const { finish, message, turns, usage, costUsd, at: endedAt } = event;
      const over = {
        state: 'ended',
        needsTurns: false,
        criticalFailure: null,
        isResting: false,
        waitsFor: null,
        since: endedAt,
        retryAt: null,
      } as const;
      return { ...session, ...over, finish, message, turns, usage, costUsd, endedAt };
    }
    default:
      // An event of a newer server changes nothing.
      event satisfies never;
      return undefined;
  }
}

function begun(event: Event & { readonly type: 'session_started' }): SessionView {
  const { sessionId: id, runId = null, provider, model, task, contextTokens = null, at: startedAt } = event;
  return {
    id,
    runId,
    provider,
    model,
    task,
    state: 'running',
    turns: 0,
    needsTurns: false,
    criticalFailure: null,
    isResting: false,
    waitsFor: null,
    resumed: 0,
    messages: 0,
    calls: 0,
    context: { tokens: 0, of: contextTokens, compressions: 0 },
    usage: NO_USAGE,
    costUsd: null,
    saved: NO_SAVINGS,
    says: '',
    startedAt,
    since: startedAt,
    retryAt: null,
    endedAt: null,
    finish: null,
    message: null,
  };
}

/** A run after one of its events. Undefined when the event changes nothing, or the run is unknown. */
export function runAfter(
  run: RunView | undefined,
  event: Event & { readonly type: 'run_started' | 'run_checked' | 'run_ended' },
): RunView | undefined {
  if (event.type === 'run_started') {
    const { runId: id, id: firstEvent, at: startedAt, by, sessions, until, untilSession, budgetUsd } = event;
    const { rounds = 1 } = event;
    const open = { state: 'running', endedAt: null, checks: [], result: null, stoppedBy: null } as const;
    return { id, by, sessions, until, untilSession, rounds, budgetUsd, startedAt, firstEvent, ...open };
  }
  if (run === undefined) return undefined;
  if (event.type === 'run_checked') {
    const { at, round, result, next } = event;
    return { ...run, result, checks: [...run.checks, { round, at, result, next }] };
  }
  return { ...run, state: 'ended', endedAt: event.at, result: event.until, stoppedBy: event.stoppedBy };
}
