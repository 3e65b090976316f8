import type { SessionEntry, SessionView } from '@signalbox/api';
import type { CommandId, CommandRecord, Event, EventLog } from '@signalbox/core';
import type { CommandViews } from '../views/command-view.ts';
import { allOf, itemOf } from './transcript.ts';

/** What an export reads. */
export type EntrySources = {
  readonly events: EventLog;
  readonly recordOf: (id: CommandId) => Promise<CommandRecord | null>;
  readonly views: Pick<CommandViews, 'of'>;
};

/**
 * A session as it happened, as far back as the event log reaches. Events come page by page and commands one by one: the
 * whole conversation is never in memory.
 */
export async function* entriesOf(session: SessionView, parts: EntrySources): AsyncGenerator<SessionEntry> {
  yield { kind: 'session', session };
  const begun = new Set<CommandId>();
  const ended = new Set<CommandId>();
  for await (const event of allOf(parts.events)) {
    if (!('sessionId' in event) || event.sessionId !== session.id) continue;
    if (event.type === 'tool_call_start') {
      // A session that went on after a restart announces its open calls again.
      if (!begun.has(event.commandId)) yield await callOf(event, parts);
      begun.add(event.commandId);
    } else if (event.type === 'tool_call_result') {
      if (!ended.has(event.commandId)) yield* resultOf(event, parts);
      ended.add(event.commandId);
    } else if (event.type === 'session_ended') {
      const { at, finish, message, turns, usage, costUsd } = event;
      yield { kind: 'end', at, finish, message, turns, usage, costUsd };
    } else {
      const item = itemOf(event, new Map());
      if (item !== null && item.kind !== 'call') yield item;
    }
  }
}

async function callOf(
  { at, tool, commandId }: Extract<Event, { type: 'tool_call_start' }>,
  { recordOf, views }: EntrySources,
): Promise<SessionEntry> {
  const record = await recordOf(commandId);
  const args = record === null ? null : views.of(record).call.args;
  return { kind: 'call', at, commandId, tool, title: record?.title ?? tool, args };
}

async function* resultOf(
  { at, commandId, success }: Extract<Event, { type: 'tool_call_result' }>,
  { recordOf, views }: EntrySources,
): AsyncGenerator<SessionEntry> {
  const record = await recordOf(commandId);
  const view = record === null ? null : views.of(record);
  if (view?.approval != null) yield approvalOf(commandId, view.approval);
  const { outcome, content = null, notes = [], files = [] } = view?.result ?? {};
  const changed = files.filter(({ kind }) => kind !== 'read').map(({ path }) => path);
  yield {
    kind: 'result',
    at,
    commandId,
    success,
    outcome: outcome?.kind ?? null,
    content,
    notes,
    changed: [...new Set(changed)],
  };
}

function approvalOf(
  commandId: CommandId,
  approval: NonNullable<CommandRecord['approval']>,
): SessionEntry & { readonly kind: 'approval' } {
  const { status, requestedAt, question = null } = approval;
  return {
    kind: 'approval',
    at: approval.firstRequestedAt ?? requestedAt,
    commandId,
    status,
    by: 'by' in approval ? approval.by.name : null,
    answeredAt: 'answeredAt' in approval ? approval.answeredAt : null,
    reason: 'reason' in approval ? (approval.reason ?? null) : null,
    question,
    answer: 'answer' in approval ? (approval.answer ?? null) : null,
  };
}
