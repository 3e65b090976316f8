import { cancelCommand, getCommand, listCommands, prioritizeCommand, submitCommand } from '@signalbox/api';
import { type CommandId, createId, listPage, ProviderId } from '@signalbox/core';
import { approverOf } from '../../access/approver-of.ts';
import { visitorOfRequest } from '../../access/authenticate.ts';
import { requireOwner } from '../../access/require-owner.ts';
import type { Visitor } from '../../access/token-entry.ts';
import { RequestRefusedError } from '../../problem.ts';
import { filterOf } from './command-query.ts';
import { resultWithin } from '../../result-within.ts';
import type { RouteParts, Routes } from '../route-parts.ts';
import { notKept, unknownCommand, unreadableCommand } from './unknown-command.ts';

const YOU = ProviderId.parse('you');
/** For `signalbox exec` by the account that owns the workspace: the highest trust. */
const OF_THE_OWNER = { trust: 'trusted', pausesOnExpiry: true } as const;

/** Commands: send, list, read, cancel. */
export function commandRoutes(app: Routes, parts: RouteParts): void {
  const { coordinator, store, views, random, closingOf, clientPresence } = parts;

  app.post(
    submitCommand.url,
    {
      config: { access: ['submit'] },
      schema: {
        summary: 'Send a call',
        description: 'It is checked, approved if needed, and waits for its files like every other call.',
        tags: ['commands'],
        ...submitCommand.schema,
      },
    },
    async (request, reply) => {
      const { tool, args, callId, sessionId, provider, priority, phase, wait, attend, ...context } =
        request.body;
      const visitor = visitorOfRequest(request);
      if (context.clientEnv !== undefined) requireOwner(visitor, 'take the environment of a client');
      // A provider chooses neither its own priority nor the phase whose rules apply.
      const wanted = visitor.role === 'provider' ? {} : { priority, phase };
      const as = providerOf(visitor, provider);
      const submitted = coordinator.submit(
        { callId: callId ?? createId('turn', random), tool, args },
        {
          ...parts.services.contextOf(as),
          ...(as === YOU && approverOf(request).channel === 'cli' ? OF_THE_OWNER : {}),
          ...withoutUndefined({ ...context, ...wanted }),
          sessionId: sessionId ?? createId('session', random),
          provider: as,
        },
      );
      const { commandId } = submitted;
      if (attend)
        clientPresence.expect(commandId, () => {
          void coordinator
            .cancel(commandId, { by: visitor.name, reason: 'the client that sent it disconnected' })
            .catch(() => undefined);
        });
      await (wait ? unlessAborted(submitted.result, closingOf(request)) : submitted.resting);
      const { record } = submitted;
      return reply.code(record.state === 'done' ? 200 : 202).send(views.of(record));
    },
  );

  app.get(
    listCommands.url,
    {
      config: { access: ['look', 'submit'] },
      schema: { summary: 'List commands, newest first', tags: ['commands'], ...listCommands.schema },
    },
    async (request) => {
      const own = ownOnly(visitorOfRequest(request));
      const { id: beginning } = request.query;
      if (beginning !== undefined) {
        const found = await beginningWith(beginning, own);
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
    getCommand.url,
    {
      config: { access: ['look', 'submit'] },
      schema: { summary: 'One command', tags: ['commands'], ...getCommand.schema },
    },
    async (request) => {
      const { id } = await visible(request.params.id, visitorOfRequest(request));
      const gone = new AbortController();
      request.raw.on('close', () => gone.abort());
      const ended = AbortSignal.any([gone.signal, closingOf(request)]);
      if (request.query.wait > 0) await resultWithin(parts, id, { ms: request.query.wait, signal: ended });
      return views.of(await visible(id, visitorOfRequest(request)));
    },
  );

  app.post(
    cancelCommand.url,
    {
      config: { access: ['operate', 'submit'] },
      schema: {
        summary: 'Cancel a command',
        description: 'A waiting command is done at once; a running one is stopped, and its result follows.',
        tags: ['commands'],
        ...cancelCommand.schema,
      },
    },
    async (request) => {
      const visitor = visitorOfRequest(request);
      const { id } = await visible(request.params.id, visitor);
      const { reason, haste } = request.body ?? {};
      const answer = await coordinator.cancel(id, { by: visitor.name, reason, haste });
      if (answer.kind === 'unknown') throw unknownCommand(id);
      return { kind: answer.kind };
    },
  );

  app.post(
    prioritizeCommand.url,
    {
      config: { access: ['operate'] },
      schema: {
        summary: 'Change the priority of a waiting command',
        description: 'It decides which command gets the next free slot, never which gets a file first.',
        tags: ['commands'],
        ...prioritizeCommand.schema,
      },
    },
    async (request) => {
      const visitor = visitorOfRequest(request);
      const { id } = await visible(request.params.id, visitor);
      return {
        kind: await coordinator.prioritize(id, { priority: request.body.priority, by: visitor.name }),
      };
    },
  );

  /** @param own as {@link notKept} */
  async function beginningWith(typed: string, own: ProviderId | null) {
    const ids = await store.find(typed.replace(/^cmd_/, ''));
    const records = await Promise.all(ids.map((id) => store.get(id)));
    const found = records.filter((record) => record !== null);
    const [only, ...others] = ids;
    if (only !== undefined && others.length === 0 && found.length === 0 && own === null)
      throw unreadableCommand(only);
    return found;
  }

  async function visible(id: CommandId, visitor: Visitor) {
    const record = await coordinator.status(id);
    const own = ownOnly(visitor);
    if (record === null) throw await notKept(parts, id, { own });
    if (own !== null && record.context.provider !== own) throw unknownCommand(id);
    return record;
  }
}

/** Settles with the work, or earlier when the signal aborts. */
async function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => resolve();
  if (signal.aborted) settle();
  signal.addEventListener('abort', settle);
  work.then(settle, settle);
  await promise;
  signal.removeEventListener('abort', settle);
}

/** A provider sees only its own commands. */
export function ownOnly({ role, provider }: Visitor): ProviderId | null {
  return role === 'provider' ? provider : null;
}

function providerOf(visitor: Visitor, asked: ProviderId | undefined): ProviderId {
  if (visitor.provider === null) return asked ?? YOU;
  if (asked === undefined || asked === visitor.provider) return visitor.provider;
  throw new RequestRefusedError(
    403,
    'not-allowed',
    `Cannot call as ${asked}: this token is for ${visitor.provider}`,
  );
}

function withoutUndefined<Of extends object>(of: Of): { [Key in keyof Of]?: Exclude<Of[Key], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Of]?: Exclude<Of[Key], undefined>;
  };
}
