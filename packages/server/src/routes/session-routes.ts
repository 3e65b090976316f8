import {
  type CommandId,
  type Event,
  type EventId,
  type EventLog,
  ProviderId,
  SessionId,
} from '@signalbox/core';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import { SessionView } from '../sessions/session-view.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const Id = z.object({ id: SessionId });

const TranscriptItem = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('turn'),
      at: z.number(),
      turn: z.int(),
      says: z.string(),
      calls: z.int(),
      costUsd: z.number().nullable(),
    }),
    z.strictObject({ kind: z.literal('trouble'), at: z.number(), turn: z.int(), message: z.string() }),
    z.strictObject({
      kind: z.literal('call'),
      at: z.number(),
      tool: z.string(),
      commandId: z.string(),
      success: z.boolean().nullable().describe('Null: not done'),
    }),
  ])
  .meta({ id: 'TranscriptItem' });
type TranscriptItem = z.infer<typeof TranscriptItem>;

/** Sessions: start, look, stop. */
export function sessionRoutes(app: Routes, { sessions, services, events }: RouteParts): void {
  app.get(
    '/api/sessions',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Sessions, running ones first',
        tags: ['sessions'],
        response: { 200: z.strictObject({ sessions: z.array(SessionView) }), default: Problem },
      },
    },
    async () => ({ sessions: [...sessions.list()] }),
  );

  app.post(
    '/api/sessions',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Set a provider of the settings to work',
        tags: ['sessions'],
        body: z.strictObject({ provider: ProviderId, task: z.string().trim().min(1).max(10_000) }),
        response: { 202: z.strictObject({ sessionId: SessionId }), default: Problem },
      },
    },
    async (request, reply) => {
      const { name: by } = visitorOfRequest(request);
      return reply.code(202).send({ sessionId: await services.startSession({ ...request.body, by }) });
    },
  );

  app.get(
    '/api/sessions/:id/transcript',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'What a session said and called, in order',
        tags: ['sessions'],
        params: Id,
        response: {
          200: z.strictObject({ session: SessionView, items: z.array(TranscriptItem) }),
          default: Problem,
        },
      },
    },
    async (request) => {
      const session = sessions.get(request.params.id);
      if (session === null) throw unknownSession(request.params.id);
      return { session, items: await transcriptOf(session.id, events) };
    },
  );

  app.post(
    '/api/sessions/:id/stop',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Stop a session: no new turns, and what it runs is cancelled',
        tags: ['sessions'],
        params: Id,
        body: z.strictObject({}).optional(),
        response: { 202: z.strictObject({ stopping: z.literal(true) }), default: Problem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await services.stopSession(id, visitorOfRequest(request).name))) throw unknownSession(id);
      return reply.code(202).send({ stopping: true });
    },
  );
}

async function transcriptOf(id: SessionId, events: EventLog): Promise<TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  const places = new Map<CommandId, number>();
  let last: EventId | null = null;
  for (;;) {
    const page = await events.since(last);
    const read: readonly Event[] = page.kind === 'events' ? page.events : [];
    for (const event of read) if ('sessionId' in event && event.sessionId === id) add(event);
    const end = read.at(-1);
    if (end === undefined) return items;
    last = end.id;
  }

  function add(event: Event): void {
    const { at } = event;
    if (event.type === 'turn_ended') {
      const { turn, says, calls, costUsd } = event;
      items.push({ kind: 'turn', at, turn, says, calls, costUsd });
    } else if (event.type === 'turn_failed') {
      items.push({ kind: 'trouble', at, turn: event.turn, message: event.message });
    } else if (event.type === 'tool_call_start') {
      places.set(event.commandId, items.length);
      items.push({ kind: 'call', at, tool: event.tool, commandId: event.commandId, success: null });
    } else if (event.type === 'tool_call_result') {
      const item = items[places.get(event.commandId) ?? -1];
      if (item?.kind === 'call') item.success = event.success;
    }
  }
}

function unknownSession(id: SessionId): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-session', `Cannot find a session ${id} that runs here`);
}
