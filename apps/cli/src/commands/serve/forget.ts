import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { findKept, type KeptFiles, type KeptOnRedis, removeKeys } from './find-kept.ts';
import { askYes, canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { REDIS_URL, redisAddressOf, removeRedisAddress } from '../../runtime/workspace/redis-address.ts';
import { byteText } from '@signalbox/api';
import { as, type Line, line, muted } from '../../terminal/line.ts';

/** `signalbox forget`: removes this workspace's data on Redis; with `--state` its `.signalbox` too. */
export const forget = defineSubcommand({
  name: 'forget',
  args: z.object({
    redis: z.string().min(1).optional(),
    state: z.boolean().default(false),
    yes: z.boolean().default(false),
  }),
  async run({ redis, state, yes }, context) {
    refuseInsideCommand(context, 'forget this workspace');
    const { directory, clock, env } = context;
    const folder = join(directory, '.signalbox');
    const given = redis === undefined ? undefined : { url: redis, volatile: true };
    const where = { folder, address: redisAddressOf({ folder, given, env, backend: 'embedded' }), clock };
    const found = await findKept(where);
    const kept = { redis: found.redis, state: state ? found.state : null };
    if (kept.redis === null && kept.state === null) throw nothingToForget(found, context);
    context.say(linesOf(kept, context));
    const removed = yes || (await askYes('Remove it permanently?', context));
    if (removed) await remove(kept, where);
    context.answer({
      json: () => ({ ...kept, removed }),
      lines: () => [removed ? line(as('ok', 'removed')) : line(muted('nothing was removed'))],
    });
    if (removed) return EXIT.ok;
    if (!canAsk(context)) context.say([line(muted('no terminal to confirm on: signalbox forget --yes'))]);
    return EXIT.needsApproval;
  },
});

async function remove({ redis, state }: KeptFiles, where: Parameters<typeof removeKeys>[0]): Promise<void> {
  if (redis !== null) {
    await removeKeys(where);
    removeRedisAddress(where.folder);
  }
  if (state !== null) rmSync(where.folder, { recursive: true, force: true });
}

function linesOf({ redis, state }: KeptFiles, { directory }: Context): readonly Line[] {
  return [
    line('Forget ', as('bold', basename(directory)), '. What is removed:'),
    ...(redis === null
      ? []
      : [line('  Redis ', as('accent', redis.where), `  ${counted(redis.keys, 'key')}`)]),
    ...(redis === null
      ? []
      : [line(muted(`    history of ${counted(redis.ended, 'command')}, ${unfinishedText(redis)}`))]),
    ...(state === null
      ? []
      : [
          line(
            '  ',
            as('accent', '.signalbox'),
            `  ${counted(state.files, 'file')}, ${byteText(state.bytes)}`,
          ),
          line(muted('    audit log, history, copies for undo, outputs, rules and consents of this folder')),
        ]),
  ];
}

function unfinishedText({ unfinished }: KeptOnRedis): string {
  if (unfinished.length === 0) return 'no command unfinished';
  const states = unfinished.map(({ state, commands }) => `${commands} ${state.replaceAll('_', ' ')}`);
  return `unfinished commands: ${states.join(', ')}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
}

function nothingToForget({ state }: KeptFiles, { directory }: Context): UsageError {
  return new UsageError('nothing-to-forget', `Cannot forget "${basename(directory)}": no Redis is named`, {
    why: [
      state === null
        ? 'there is no .signalbox folder here'
        : 'its .signalbox folder is removed only with --state',
    ],
    next: ['signalbox forget --redis URL', `or export ${REDIS_URL}=redis://…`, 'signalbox forget --state'],
  });
}
