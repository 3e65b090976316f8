import { compressionOf, type TranscriptItem } from '@signalbox/api';
import { type CommandId, type Event, type EventLog, type OutcomeKind, type SessionId } from '@signalbox/core';

/** The messages and calls of a session, in order, as far back as the log reaches. */
export async function transcriptOf(id: SessionId, log: EventLog): Promise<readonly TranscriptItem[]> {
  const events: Event[] = [];
  for await (const event of allOf(log))
    if ('sessionId' in event && event.sessionId === id) events.push(event);
  const commands = commandsOf(events);
  return withoutRepeats(events).flatMap((event) => itemOf(event, commands) ?? []);
}

/** A session that went on after a restart announces its open calls again. */
function withoutRepeats(events: readonly Event[]): readonly Event[] {
  const begun = new Set<CommandId>();
  return events.filter((event) => {
    if (event.type !== 'tool_call_start') return true;
    const isNew = !begun.has(event.commandId);
    begun.add(event.commandId);
    return isNew;
  });
}

export function itemOf(event: Event, commands: ReadonlyMap<CommandId, Reported>): TranscriptItem | null {
  const { at } = event;
  if (event.type === 'turn_ended') {
    const { turn, says, calls, usage, costUsd } = event;
    return { kind: 'turn', at, turn, says, calls, usage, costUsd };
  }
  if (event.type === 'turn_failed') {
    return { kind: 'trouble', at, turn: event.turn, message: event.message };
  }
  if (event.type === 'message_said') {
    const { text, by, interrupts } = event;
    return { kind: 'message', at, text, by, interrupts };
  }
  if (event.type === 'session_resumed') return { kind: 'restart', at, changed: event.changed };
  if (event.type === 'context_compressed') return compressionOf(event);
  if (event.type !== 'tool_call_start') return null;
  const { tool, commandId } = event;
  const { title = tool, success = null, outcome = null } = commands.get(commandId) ?? {};
  return { kind: 'call', at, tool, title, commandId, success, outcome };
}

/** Page by page, so that only one is in memory. */
export async function* allOf(log: EventLog): AsyncGenerator<Event> {
  let page = await log.since(null);
  for (;;) {
    const read = page.kind === 'events' ? page.events : [];
    yield* read;
    const last = read.at(-1);
    if (last === undefined) return;
    page = await log.since(last.id);
  }
}

type Reported = { title?: string; success?: boolean; outcome?: OutcomeKind };

/** The latest reported state of each command. */
function commandsOf(events: readonly Event[]): ReadonlyMap<CommandId, Reported> {
  const commands = new Map<CommandId, Reported>();
  for (const event of events) {
    if (!('commandId' in event)) continue;
    commands.set(event.commandId, { ...commands.get(event.commandId), ...reportedTo(event) });
  }
  return commands;
}

function reportedTo(event: Event): Reported {
  if (event.type === 'tool_call_result') return { success: event.success };
  const reported: Reported = 'title' in event ? { title: event.title } : {};
  if (event.type === 'command_completed') return { ...reported, outcome: 'completed' };
  if (event.type === 'command_cancelled') return { ...reported, outcome: 'cancelled' };
  return event.type === 'command_failed' || event.type === 'command_denied'
    ? { ...reported, outcome: event.outcome }
    : reported;
}
