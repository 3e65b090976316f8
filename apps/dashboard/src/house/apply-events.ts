import type { Event } from '@signalbox/core';
import type { SessionView } from '@signalbox/api';
import { platesOf } from '../parts/plates.ts';
import type { Panel } from './panel.ts';
import { answerOf, type Train } from './train.ts';

const MOST_TRAINS = 2000;
const MOST_NEWS = 200;
const LEAVES_QUEUE: ReadonlySet<Event['type']> = new Set(['command_started', 'command_cancelled']);

/** The panel after these events, in order. What they do not touch keeps its identity, so nobody redraws it. */
export function applyEvents(panel: Panel, events: readonly Event[]): Panel {
  if (events.length === 0) return panel;
  const trains = new Map(panel.trains);
  const sessions = new Map(panel.sessions);
  const providers = new Set(panel.providers);
  const news: Event[] = [];
  let { mode, questions, endings, lastEventId, unlisted } = panel;

  for (const event of events) {
    lastEventId = event.id;
    if ('provider' in event) providers.add(event.provider);
    if (isNews(event)) news.push(event);
    if (isOfQuestion(event)) questions += 1;
    if (event.type === 'mode_changed') {
      mode = { mode: event.to, since: event.at, by: event.by, reason: event.reason };
    }
    if ('commandId' in event) {
      const before = trains.get(event.commandId);
      // One that waited behind those that the snapshot listed.
      if (before === undefined && unlisted > 0 && LEAVES_QUEUE.has(event.type)) unlisted -= 1;
      const next = trainAfter(before, event);
      if (next !== undefined) trains.set(event.commandId, next);
      if (next?.state === 'done') endings += 1;
    } else if ('sessionId' in event) {
      const next = sessionAfter(sessions.get(event.sessionId), event);
      if (next !== undefined) sessions.set(event.sessionId, next);
    }
  }
  forgetOldest(trains);
  return {
    ...panel,
    mode,
    questions,
    endings,
    unlisted,
    lastEventId,
    trains,
    sessions,
    ...(providers.size === panel.providers.length ? {} : joined(panel, [...providers])),
    feed: news.length === 0 ? panel.feed : [...news.toReversed(), ...panel.feed].slice(0, MOST_NEWS),
  };
}

function joined({ plates }: Panel, providers: readonly string[]): Pick<Panel, 'providers' | 'plates'> {
  return { providers, plates: platesOf([...new Set([...plates.keys(), ...providers])]) };
}

function trainAfter(train: Train | undefined, event: Event & { commandId: string }): Train | undefined {
  if (event.type === 'command_submitted') return train ?? arrived(event);
  if (train === undefined && event.type === 'command_started') {
    const { claims, fencingToken, at } = event;
    return { ...arrived({ ...event, tool: '' }), state: 'running', claims, fencingToken, startedAt: at };
  }
  if (train === undefined || train.state === 'done') return undefined;
  switch (event.type) {
    case 'command_classified':
      return { ...train, state: 'classified', level: event.verdict.level };
    case 'approval_requested': {
      const { level, expiresAt, at } = event;
      return { ...train, state: 'awaiting_approval', level, askedAt: train.askedAt ?? at, expiresAt };
    }
    case 'approval_extended':
      return { ...train, expiresAt: event.expiresAt };
    case 'command_approved':
      return { ...train, title: event.title, state: 'approved', askedAt: null, expiresAt: null };
    case 'command_queued': {
      const { claims, blockers } = event;
      return { ...train, state: 'queued', claims, blockers, queuedAt: train.queuedAt ?? event.at };
    }
    case 'command_started': {
      const { claims, fencingToken } = event;
      return { ...train, state: 'running', claims, blockers: [], fencingToken, startedAt: event.at };
    }
    case 'command_completed':
      return ended(train, event, { outcome: 'completed', rule: null, message: answerOf(event.exitCode) });
    case 'command_failed':
      return ended(train, event, { outcome: event.outcome, rule: event.reason, message: event.message });
    case 'command_denied':
      return ended(train, event, { outcome: event.outcome, rule: event.rule, message: event.reason });
    case 'command_cancelled':
      return ended(train, event, { outcome: 'cancelled', rule: null, message: event.reason });
    default:
      return undefined;
  }
}

function arrived(
  event: Pick<
    Event & { type: 'command_submitted' },
    'commandId' | 'sessionId' | 'provider' | 'tool' | 'title' | 'at'
  >,
): Train {
  return {
    id: event.commandId,
    sessionId: event.sessionId,
    provider: event.provider,
    tool: event.tool,
    title: event.title,
    state: 'submitted',
    level: null,
    claims: [],
    blockers: [],
    submittedAt: event.at,
    askedAt: null,
    expiresAt: null,
    queuedAt: null,
    startedAt: null,
    endedAt: null,
    fencingToken: null,
    outcome: null,
    rule: null,
    message: null,
  };
}

function ended(
  train: Train,
  { at, title }: { readonly at: number; readonly title: string },
  how: Pick<Train, 'outcome' | 'rule' | 'message'>,
): Train {
  return {
    ...train,
    ...how,
    title,
    state: 'done',
    endedAt: at,
    askedAt: null,
    expiresAt: null,
    blockers: [],
  };
}

function sessionAfter(session: SessionView | undefined, event: Event): SessionView | undefined {
  if (event.type === 'session_started') {
    const { sessionId: id, runId = null, provider, model, task, at: startedAt } = event;
    return { ...FRESH_SESSION, id, runId, provider, model, task, startedAt };
  }
  if (session === undefined) return undefined;
  if (event.type === 'turn_ended') {
    const { turn, calls, says, costUsd, usage } = event;
    return {
      ...session,
      turns: turn,
      calls: session.calls + calls,
      says: says === '' ? session.says : says,
      costUsd: costUsd === null ? session.costUsd : (session.costUsd ?? 0) + costUsd,
      usage: {
        ...session.usage,
        inputTokens: session.usage.inputTokens + usage.inputTokens,
        outputTokens: session.usage.outputTokens + usage.outputTokens,
      },
    };
  }
  if (event.type !== 'session_ended') return undefined;
  const { finish, message, turns, usage, costUsd, at } = event;
  return { ...session, state: 'ended', finish, message, turns, usage, costUsd, endedAt: at };
}

const FRESH_SESSION = {
  state: 'running',
  turns: 0,
  needsTurns: false,
  calls: 0,
  usage: {
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  },
  costUsd: null,
  says: '',
  endedAt: null,
  finish: null,
  message: null,
} as const;

/** A page that stays open for days keeps the last 2,000; what is not done is never forgotten. */
function forgetOldest(trains: Map<string, Train>): void {
  if (trains.size <= MOST_TRAINS) return;
  for (const [id, { state }] of trains) {
    if (trains.size <= MOST_TRAINS) return;
    if (state === 'done') trains.delete(id);
  }
}

const QUIET: ReadonlySet<Event['type']> = new Set([
  'command_submitted',
  'command_classified',
  'command_output',
  'network_connection',
  'turn_started',
  'turn_ended',
  'tool_call_start',
  'tool_call_result',
]);

function isNews(event: Event): boolean {
  return !QUIET.has(event.type) && !(event.type === 'command_approved' && event.by === 'auto');
}

function isOfQuestion({ type }: Event): boolean {
  return (
    type === 'approval_requested' ||
    type === 'approval_counted' ||
    type === 'approval_overdue' ||
    type === 'approval_extended' ||
    type === 'command_approved' ||
    type === 'command_denied' ||
    type === 'command_cancelled' ||
    type === 'mode_changed'
  );
}
