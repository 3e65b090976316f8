import { ProviderId, UsageError } from '@signalbox/core';
import { Role } from '@signalbox/api';
import { createTokenRegistry, type TokenRegistry, type TokenEntry } from '@signalbox/server/access';
import * as z from 'zod';
import { DurationArgument } from '../table/argument-schemas.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { withRecords, withRecordsIfAny } from '../../client/readers/with-records.ts';
import type { Records } from '../../runtime/contract/runtime.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { dateAndTime, type RenderContext } from '../../terminal/render-context.ts';
import { tableLines } from '../../terminal/table.ts';

const Args = z.object({
  action: z.enum(['create', 'list', 'revoke']).default('list'),
  id: z.string().optional(),
  role: Role.default('viewer'),
  provider: ProviderId.optional(),
  name: z.string().min(1).max(128).optional(),
  expires: DurationArgument.optional(),
});
type Args = z.infer<typeof Args>;

/** `signalbox token create --role approver --name mira`: lets others read, decide, operate or call. */
export const token = defineSubcommand({
  name: 'token',
  args: Args,
  async run(args, context) {
    refuseInsideCommand(context, 'manage access tokens');
    const work = async ({ facts }: Records): Promise<ExitCode> => {
      const { clock, random } = context;
      const registry = createTokenRegistry({ facts, clock, random });
      switch (args.action) {
        case 'create':
          return create(registry, args, context);
        case 'list':
          return list(registry, context);
        case 'revoke':
          return revoke(registry, args.id, context);
      }
    };
    return withRecordsIfAny(context, work, async () => {
      // In a fresh workspace the coordinator creates the records.
      if (args.action === 'create')
        await connectCoordinator(context, { what: 'store an access token', start: true });
      return withRecords(context, work);
    });
  },
});

async function create(registry: TokenRegistry, args: Args, context: Context): Promise<ExitCode> {
  const { role, provider = null, name = provider ?? context.user, expires } = args;
  const made = await registry.create({ kind: 'made', name, role, provider, lifetimeMs: expires ?? null });
  context.answer({
    json: () => ({ ...withoutHash(made.entry), accessToken: made.token }),
    lines: () => [line(made.token)],
  });
  context.say([
    line(
      as('bold', made.entry.id),
      muted(` · ${role} · ${name} · ${endOf(made.entry, context.noticeRender())}`),
    ),
    line(muted('shown only once; only its hash is stored')),
  ]);
  return EXIT.ok;
}

async function list(registry: TokenRegistry, context: Context): Promise<ExitCode> {
  const entries = await registry.list();
  context.answer({
    json: () => ({ tokens: entries.map(withoutHash) }),
    lines: (render) =>
      entries.length === 0
        ? [line(muted('No access tokens. signalbox token create --role viewer --name NAME'))]
        : tableLines(
            [
              { title: 'TOKEN' },
              { title: 'ROLE' },
              { title: 'OF', gives: 'end' },
              { title: 'FOR' },
              { title: 'ENDS' },
            ],
            entries.map((entry) => [
              as('bold', entry.id),
              entry.role,
              entry.name,
              FOR[entry.kind],
              endOf(entry, render),
            ]),
            render,
          ),
  });
  return EXIT.ok;
}

const FOR: Readonly<Record<TokenEntry['kind'], string>> = {
  made: 'programs',
  local: 'this machine',
  browser: 'a dashboard',
};

async function revoke(registry: TokenRegistry, id: string | undefined, context: Context): Promise<ExitCode> {
  if (id === undefined) {
    throw new UsageError('usage', 'Cannot revoke: name an access token', {
      next: ['signalbox token list'],
    });
  }
  const gone = await registry.revoke((entry) => entry.id === id);
  if (gone.length === 0) {
    throw new UsageError('unknown-token', `Cannot revoke ${id}: there is no such access token`, {
      next: ['signalbox token list'],
    });
  }
  context.answer({ json: () => ({ revoked: id }), lines: () => [line(as('ok', 'revoked'), ` ${id}`)] });
  return EXIT.ok;
}

function withoutHash(entry: TokenEntry): Omit<TokenEntry, 'hash'> {
  const { hash: _, ...rest } = entry;
  return rest;
}

function endOf({ expiresAt }: TokenEntry, render: RenderContext): string {
  return expiresAt === null ? 'until revoked' : dateAndTime(expiresAt, render);
}
