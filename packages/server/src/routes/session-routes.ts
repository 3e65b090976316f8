import {
  compressSession,
  getRun,
  getTranscript,
  grantTurns,
  listRuns,
  listSessions,
  runAfter,
  sayToSession,
  resumeRun,
  type RunView,
  startRun,
  startSession,
  stopRun,
  stopSession,
} from '@signalbox/api';
import type { RunId } from '@signalbox/core';
import type { FastifyRequest } from 'fastify';
import { visitorOfRequest } from '../access/authenticate.ts';
import { requireOwner } from '../access/require-owner.ts';
import { RequestRefusedError } from '../problem.ts';
import { transcriptOf } from '../sessions/transcript.ts';
import type { RouteParts, Routes } from './route-parts.ts';

/** Sessions, and runs of several: start, read, add turns, stop. */
export function sessionRoutes(app: Routes, { sessions, services, events }: RouteParts): void {
  const byWhom = (request: FastifyRequest): string => visitorOfRequest(request).name;

  app.get(
    listSessions.url,
    {
      config: { access: ['look'] },
      schema: { summary: 'Sessions, running ones first', tags: ['sessions'], ...listSessions.schema },
    },
    async () => ({ sessions: sessions.list() }),
  );

  app.post(
    startSession.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Start a session of a provider in the settings',
        tags: ['sessions'],
        ...startSession.schema,
      },
    },
    async (request, reply) => {
      const { provider, task, ...rest } = request.body;
      if (rest.clientEnv !== undefined)
        requireOwner(visitorOfRequest(request), 'take the environment of a client');
      const assignments = [{ provider, task }];
      const { runId, sessions: started } = await services.runs.start({
        ...rest,
        assignments,
        until: null,
        by: byWhom(request),
      });
      const [sessionId] = started;
      if (sessionId === undefined) throw unknownSession('that was just started');
      return reply.code(202).send({ sessionId, runId });
    },
  );

  app.get(
    getTranscript.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Messages and calls of a session, in order',
        tags: ['sessions'],
        ...getTranscript.schema,
      },
    },
    async (request) => {
      const session = sessions.get(request.params.id);
      if (session === null) throw unknownSession(request.params.id);
      return { session, items: await transcriptOf(session.id, events) };
    },
  );

  app.post(
    grantTurns.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Give more turns to a session that has used its own; 0 ends it',
        tags: ['sessions'],
        ...grantTurns.schema,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { turns } = request.body;
      if (await services.runs.grantTurns(id, { turns, by: byWhom(request) }))
        return reply.code(202).send({ turns });
      if (sessions.get(id) === null) throw unknownSession(id);
      throw new RequestRefusedError(409, 'turns-not-asked', `Session ${id} is not waiting for more turns`, {
        why: ['it was already answered, or has ended'],
      });
    },
  );

  app.post(
    sayToSession.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Say something to a session: its model reads it at its next turn, or at once',
        tags: ['sessions'],
        ...sayToSession.schema,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await services.sayToSession(id, { ...request.body, by: byWhom(request) })))
        throw unknownSession(id);
      return reply.code(202).send({ said: true });
    },
  );

  app.post(
    compressSession.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary:
          'Compress the conversation of a session before its next turn: earlier turns become a summary',
        tags: ['sessions'],
        ...compressSession.schema,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await services.compressSession(id, byWhom(request)))) throw unknownSession(id);
      return reply.code(202).send({ requested: true });
    },
  );

  app.post(
    stopSession.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Stop a session: no new turns, and its running commands are cancelled',
        tags: ['sessions'],
        ...stopSession.schema,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await services.stopSession(id, byWhom(request)))) throw unknownSession(id);
      return reply.code(202).send({ stopping: true });
    },
  );

  app.get(
    listRuns.url,
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Runs (sessions that were started together), running ones first',
        tags: ['sessions'],
        ...listRuns.schema,
      },
    },
    async () => ({ runs: sessions.runs() }),
  );

  app.post(
    startRun.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Start sessions of several providers: all of them, or none',
        tags: ['sessions'],
        ...startRun.schema,
      },
    },
    async (request, reply) => {
      if (request.body.clientEnv !== undefined)
        requireOwner(visitorOfRequest(request), 'take the environment of a client');
      const { runId, firstEvent } = await services.runs.start({ ...request.body, by: byWhom(request) });
      // Events of a backend in another process arrive a moment later.
      const begun = firstEvent?.type === 'run_started' ? runAfter(undefined, firstEvent) : undefined;
      return reply.code(202).send(begun ?? runOf(runId));
    },
  );

  app.get(
    getRun.url,
    {
      config: { access: ['look'] },
      schema: { summary: 'One run', tags: ['sessions'], ...getRun.schema },
    },
    async (request) => runOf(request.params.id),
  );

  app.post(
    resumeRun.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Bring the API keys that sessions of a run wait for after a restart',
        tags: ['sessions'],
        ...resumeRun.schema,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const waiting = services.runs.resume(id, request.body.keys ?? {});
      if (waiting === null) throw unknownRun(id);
      return reply.code(202).send({ waiting });
    },
  );

  app.post(
    stopRun.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Stop a run: no new calls; running commands get 10 s, or none with `force`',
        tags: ['sessions'],
        ...stopRun.schema,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const mode = request.body?.mode ?? 'graceful';
      if (!services.runs.stop(id, byWhom(request), { mode })) throw unknownRun(id);
      return reply.code(202).send({ stopping: true });
    },
  );

  function runOf(id: RunId): RunView {
    const run = sessions.run(id);
    if (run === null) throw unknownRun(id);
    return run;
  }
}

function unknownSession(id: string): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-session', `Cannot find a running session ${id} here`);
}

function unknownRun(id: string): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-run', `Cannot find an active run ${id} here`, {
    next: ['GET /api/runs lists them'],
  });
}
