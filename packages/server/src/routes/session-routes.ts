import { ProviderId, RunId, SessionId } from '@signalbox/core';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import { RunView } from '../sessions/run-view.ts';
import { runAfter } from '../sessions/session-book.ts';
import { SessionView } from '../sessions/session-view.ts';
import { TranscriptItem, transcriptOf } from '../sessions/transcript.ts';
import type { RouteParts, Routes } from './route-parts.ts';

const Id = z.object({ id: SessionId });
const IdOfRun = z.object({ id: RunId });

const assignment = { provider: ProviderId, task: z.string().trim().min(1).max(10_000) };

/** What sessions start with, alone or several. */
const conditions = {
  turns: z.int().min(1).max(10_000).optional().describe('Of each session; default: as the settings say'),
  budgetUsd: z.number().positive().optional().describe('Of all together; default: as the settings say'),
  keys: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), z.string().min(1).max(4096))
    .optional()
    .describe(
      'API keys by the environment variable that the settings name; for these sessions alone, kept in memory alone. Default: those of the coordinator',
    ),
  attended: z
    .boolean()
    .default(true)
    .describe(
      'Whether people may answer at any time: a question that nobody answers in time pauses its session, and turns that are used up are asked for',
    ),
};

/** Sessions, and runs of several: start, look, give more turns, stop. */
export function sessionRoutes(app: Routes, { sessions, services, events }: RouteParts): void {
  const byWhom = (request: FastifyRequest): string => visitorOfRequest(request).name;

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
        body: z.strictObject({ ...assignment, ...conditions }),
        response: { 202: z.strictObject({ sessionId: SessionId, runId: RunId }), default: Problem },
      },
    },
    async (request, reply) => {
      const { provider, task, ...rest } = request.body;
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
    '/api/sessions/:id/turns',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Give a session that has used its turns more of them; 0 ends it',
        tags: ['sessions'],
        params: Id,
        body: z.strictObject({ turns: z.int().min(0).max(10_000) }),
        response: { 202: z.strictObject({ turns: z.int() }), default: Problem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { turns } = request.body;
      if (await services.runs.grantTurns(id, turns, byWhom(request))) return reply.code(202).send({ turns });
      if (sessions.get(id) === null) throw unknownSession(id);
      throw new RequestRefusedError(409, 'turns-not-asked', `Session ${id} does not wait for more turns`, {
        why: ['somebody else has answered, or it has ended'],
      });
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
      if (!(await services.stopSession(id, byWhom(request)))) throw unknownSession(id);
      return reply.code(202).send({ stopping: true });
    },
  );

  app.get(
    '/api/runs',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'Runs, which are sessions that were started together; running ones first',
        tags: ['sessions'],
        response: { 200: z.strictObject({ runs: z.array(RunView) }), default: Problem },
      },
    },
    async () => ({ runs: [...sessions.runs()] }),
  );

  app.post(
    '/api/runs',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Set several providers to work; all begin, or none does',
        tags: ['sessions'],
        body: z.strictObject({
          assignments: z.array(z.strictObject(assignment)).min(1).max(32),
          until: z
            .strictObject({ line: z.string().min(1).max(16_384), cwd: z.string().optional() })
            .nullable()
            .optional()
            .describe(
              'Says whether the work is done. Absent: the tests of the workspace; null: nothing does',
            ),
          ...conditions,
        }),
        response: { 202: RunView, default: Problem },
      },
    },
    async (request, reply) => {
      const { runId, firstEvent } = await services.runs.start({ ...request.body, by: byWhom(request) });
      // Events of a backend that is another process are told a moment later.
      const begun = firstEvent === null ? undefined : runAfter(undefined, firstEvent);
      return reply.code(202).send(begun ?? runOf(runId));
    },
  );

  app.get(
    '/api/runs/:id',
    {
      config: { access: ['look'] },
      schema: {
        summary: 'One run',
        tags: ['sessions'],
        params: IdOfRun,
        response: { 200: RunView, default: Problem },
      },
    },
    async (request) => runOf(request.params.id),
  );

  app.post(
    '/api/runs/:id/stop',
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Stop a run: no new calls; what runs has 10 s, or with `force` none',
        tags: ['sessions'],
        params: IdOfRun,
        body: z.strictObject({ mode: z.enum(['graceful', 'force']).default('graceful') }).nullish(),
        response: { 202: z.strictObject({ stopping: z.literal(true) }), default: Problem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const mode = request.body?.mode ?? 'graceful';
      if (!services.runs.stop(id, byWhom(request), mode)) throw unknownRun(id);
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
  return new RequestRefusedError(404, 'unknown-session', `Cannot find a session ${id} that runs here`);
}

function unknownRun(id: string): RequestRefusedError {
  return new RequestRefusedError(404, 'unknown-run', `Cannot find a run ${id} that runs here`, {
    next: ['GET /api/runs lists them'],
  });
}
