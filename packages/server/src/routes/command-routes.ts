import {
  CommandId,
  createId,
  JsonObject,
  listPage,
  Phase,
  type ProviderId,
  ProviderId as ProviderIdSchema,
  SessionId,
  ToolName,
} from '@signalbox/core';
import { ForgottenCommand, Haste } from '@signalbox/coordinator';
import * as z from 'zod';
import { visitorOfRequest } from '../access/authenticate.ts';
import type { Visitor } from '../access/token-entry.ts';
import { Problem, RequestRefusedError } from '../problem.ts';
import { CommandView } from '../views/command-view.ts';
import { CommandQuery, filterOf } from './command-query.ts';
import { resultWithin } from '../result-within.ts';
import type { RouteParts, Routes } from './route-parts.ts';
import { notKept, unknownCommand } from './unknown-command.ts';

const Id = z.object({ id: CommandId });

const NewCommand = z
  .strictObject({
    tool: ToolName.describe('Name of a tool, such as `bash` or `read_file`'),
    args: JsonObject,
    callId: z.string().min(1).max(256).optional().describe('Yours; default: a fresh one'),
    sessionId: SessionId.optional().describe('Calls of one task share one; default: a fresh one'),
    provider: ProviderIdSchema.optional().describe('As whom; a provider token is always its own'),
    priority: z.int().min(0).max(1000).optional(),
    timeoutMs: z.int().positive().max(3_600_000).optional(),
    says: z.string().max(2000).optional(),
    task: z.string().max(10_000).optional(),
    asking: z.enum(['wait', 'never']).optional(),
    callerId: z.string().min(1).max(200).optional().describe('The sub-agent that calls, for the audit log'),
    phase: Phase.optional().describe(
      'Where in its task the caller is; a provider token is always `executor`',
    ),
    wait: z.boolean().default(false).describe('Answer when it is done, instead of at once'),
    attend: z
      .boolean()
      .default(false)
      .describe('You attend it next: it is cancelled where you have not come within 30 s'),
  })
  .meta({ id: 'NewCommand' });

const Cancel = z.strictObject({
  reason: z.string().min(1).max(500).optional(),
  haste: Haste.optional().describe(
    '`gently` (default): asked first, killed after a grace. `now`: killed, also while it is being stopped gently',
  ),
});

const Cancelled = z.strictObject({ kind: z.enum(['cancelled', 'stopping', 'already-done']) });

/** Commands: send, list, look, cancel. */
export function commandRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, store, views, random, closing, attendance } = parts;

  app.post(
    '/api/commands',
    {
      config: { access: ['submit'] },
      schema: {
        summary: 'Send a call',
        description: 'It is judged, approved where needed, and waits for its files like every other one.',
        tags: ['commands'],
        body: NewCommand,
        response: { 200: CommandView, 202: CommandView, default: Problem },
      },
    },
    async (request, reply) => {
      const { tool, args, callId, sessionId, provider, priority, phase, wait, attend, ...context } =
        request.body;
      const visitor = visitorOfRequest(request);
      // A provider does not decide how much its own calls matter, nor which rules of a phase are meant.
      const wanted = visitor.role === 'provider' ? {} : { priority, phase };
      const as = providerOf(visitor, provider);
      const submitted = coordinator.submit(
        { callId: callId ?? createId('turn', random), tool, args },
        {
          ...parts.services.contextOf(as),
          ...withoutUndefined({ ...context, ...wanted }),
          sessionId: sessionId ?? createId('session', random),
          provider: as,
        },
      );
      const { commandId } = submitted;
      if (attend)
        attendance.expect(commandId, () => {
          void coordinator.cancel(commandId, visitor.name, 'who sent it has gone').catch(() => undefined);
        });
      await (wait ? unlessAborted(submitted.result, closing) : submitted.resting);
      const { record } = submitted;
      return reply.code(record.state === 'done' ? 200 : 202).send(views.of(record));
    },
  );

  app.get(
    '/api/commands',
    {
      config: { access: ['look', 'submit'] },
      schema: {
        summary: 'List commands, newest first',
        tags: ['commands'],
        querystring: CommandQuery,
        response: {
          200: z.strictObject({
            commands: z.array(CommandView),
            next: z.string().nullable(),
            forgotten: z
              .array(ForgottenCommand)
              .readonly()
              .optional()
              .describe('With `id`, where none is kept: those that the history has dropped'),
          }),
          default: Problem,
        },
      },
    },
    async (request) => {
      const own = ownOnly(visitorOfRequest(request));
      const { id: beginning } = request.query;
      if (beginning !== undefined) {
        const found = await beginningWith(beginning);
        const seen = found.filter(({ context }) => own === null || context.provider === own);
        if (seen.length > 0) return { commands: seen.map(views.short), next: null };
        const gone = await coordinator.forgotten(beginning.replace(/^cmd_/, ''));
        const forgotten = gone.filter(({ provider }) => own === null || provider === own);
        return { commands: [], next: null, ...(forgotten.length === 0 ? {} : { forgotten }) };
      }
      const page = await listPage(store, {
        ...filterOf(request.query),
        ...(own === null ? {} : { provider: own }),
      });
      return { commands: page.commands.map(views.short), next: page.next };
    },
  );

  app.get(
    '/api/commands/:id',
    {
      config: { access: ['look', 'submit'] },
      schema: {
        summary: 'One command',
        tags: ['commands'],
        params: Id,
        querystring: z.object({
          wait: z.coerce
            .number()
            .int()
            .min(0)
            .max(600_000)
            .default(0)
            .describe('Answer when it is done, or after so many milliseconds'),
        }),
        response: { 200: CommandView, default: Problem },
      },
    },
    async (request) => {
      const { id } = await visible(request.params.id, visitorOfRequest(request));
      const gone = new AbortController();
      request.raw.on('close', () => gone.abort());
      const over = AbortSignal.any([gone.signal, closing]);
      if (request.query.wait > 0) await resultWithin(parts, id, request.query.wait, over);
      return views.of(await visible(id, visitorOfRequest(request)));
    },
  );

  app.post(
    '/api/commands/:id/cancel',
    {
      config: { access: ['operate', 'submit'] },
      schema: {
        summary: 'Cancel a command',
        description: 'One that waits is done at once; one that runs is stopped, and its result follows.',
        tags: ['commands'],
        params: Id,
        body: Cancel.nullish(),
        response: { 200: Cancelled, default: Problem },
      },
    },
    async (request) => {
      const visitor = visitorOfRequest(request);
      const { id } = await visible(request.params.id, visitor);
      const { reason, haste } = request.body ?? {};
      const answer = await coordinator.cancel(id, visitor.name, reason, haste);
      if (answer.kind === 'unknown') throw unknownCommand(id);
      return { kind: answer.kind };
    },
  );

  async function beginningWith(typed: string) {
    const ids = await store.find(typed.replace(/^cmd_/, ''));
    const records = await Promise.all(ids.map((id) => store.get(id)));
    return records.filter((record) => record !== null);
  }

  async function visible(id: CommandId, visitor: Visitor) {
    const record = await coordinator.status(id);
    const own = ownOnly(visitor);
    if (record === null) throw await notKept(coordinator, id, own);
    if (own !== null && record.context.provider !== own) throw unknownCommand(id);
    return record;
  }
}

/** Settles with the work, or when the signal aborts before. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => resolve();
  if (signal.aborted) settle();
  signal.addEventListener('abort', settle);
  work.then(settle, settle);
  await promise;
  signal.removeEventListener('abort', settle);
}

/** A provider sees its own commands and nobody else's. */
export function ownOnly({ role, provider }: Visitor): ProviderId | null {
  return role === 'provider' ? provider : null;
}

function providerOf(visitor: Visitor, asked: ProviderId | undefined): ProviderId {
  if (visitor.provider === null) return asked ?? ProviderIdSchema.parse('you');
  if (asked === undefined || asked === visitor.provider) return visitor.provider;
  throw new RequestRefusedError(
    403,
    'not-allowed',
    `Cannot call as ${asked}: this token is of ${visitor.provider}`,
  );
}

function withoutUndefined<Of extends object>(of: Of): { [Key in keyof Of]?: Exclude<Of[Key], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Of]?: Exclude<Of[Key], undefined>;
  };
}
