import { ProviderId, SessionId } from '@signalbox/core';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import { SessionView } from '../sessions/session-view.ts';
import { TranscriptItem, transcriptOf } from '../sessions/transcript.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const Id = z.object({ id: SessionId });

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
      return { session, items: [...(await transcriptOf(session.id, events))] };
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
        body: z.strictObject({}).nullish(),
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

function unknownSession(id: SessionId): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-session', `Cannot find a session ${id} that runs here`);
}
