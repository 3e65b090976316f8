import { basename, join } from 'node:path';
import { createRedactor, UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { openLog } from '../../runtime/log/open-log.ts';
import { passwordsOf, REDIS_URL, redisAddressOf } from '../../runtime/workspace/redis-address.ts';
import { readWorkspaceId } from '../../runtime/workspace-marks.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';

const LABEL = /^[a-z0-9][a-z0-9_.-]{0,31}$/;

/** `signalbox worker --redis URL`: runs programs of a workspace's commands, until it is stopped. */
export const worker = defineSubcommand({
  name: 'worker',
  args: z.object({
    redis: z.string().min(1).optional(),
    volatile: z.boolean().default(false),
    concurrency: z.coerce
      .number({ error: 'must be a number from 1 to 1000' })
      .int()
      .min(1)
      .max(1000)
      .default(3),
    labels: z
      .string()
      .default('')
      .transform((text) => text.split(',').filter(Boolean))
      .pipe(z.array(z.string().regex(LABEL, 'must be lower-case words with commas between them'))),
    unconfined: z.boolean().default(false),
    drain: z.boolean().default(false),
  }),
  async run({ redis, volatile, concurrency, labels, unconfined, drain }, context) {
    if (drain) {
      const { drainWorkers } = await import('./drain-workers.ts');
      const env = redis === undefined ? context.env : { ...context.env, [REDIS_URL]: redis };
      return drainWorkers({ ...context, env });
    }
    const folder = join(context.directory, '.signalbox');
    const given = redis === undefined ? undefined : { url: redis, volatile };
    const address = redisAddressOf({ folder, given, env: context.env, backend: 'embedded' });
    if (address === null) throw noRedis();
    // Nothing is written into a folder that is not a workspace.
    readWorkspaceId(folder);
    const { settings } = await loadSettings({ ...context, withoutSandbox: unconfined });
    const { openWorker } = await import('./open-worker.ts');
    const { openTraces } = await import('../../runtime/log/open-traces.ts');
    const redactor = createRedactor({ secrets: passwordsOf(address) });
    const opened = await openWorker({
      workspace: context.directory,
      address,
      settings,
      concurrency,
      labels,
      unconfined,
      env: context.env,
      traces: await openTraces(context.env),
      clock: context.clock,
      logger: openLog({ file: join(folder, 'log.jsonl'), redactor, verbose: false }),
    });
    context.json({
      event: 'worker.started',
      id: opened.id,
      concurrency,
      labels,
      layer: opened.isolation.layer,
    });
    context.say([
      line(as('bold', basename(context.directory)), ' · ', as('accent', opened.id)),
      line(muted(`runs ${concurrency} at once${labels.length === 0 ? '' : `, offers ${labels.join(' ')}`}`)),
    ]);
    await drained(context, opened);
    context.json({ event: 'worker.stopped', id: opened.id });
    return EXIT.ok;
  },
});

/** The first interrupt drains, the second stops running programs. */
async function drained(
  { interrupts, say }: Context,
  opened: Readonly<{ running(): number; drain(): Promise<void>; stopAll(): void }>,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let draining: Promise<void> | undefined;
  const unlisten = interrupts.listen(() => {
    if (draining !== undefined) return opened.stopAll();
    const running = opened.running();
    say([
      line(as('warn', 'draining'), muted(`: ${running} running; takes no new commands. Again: stops them`)),
    ]);
    draining = opened.drain();
    resolve();
  });
  await promise;
  await draining;
  unlisten();
}

function noRedis(): UsageError {
  return new UsageError('no-redis-url', 'Cannot start a worker: the Redis of its coordinators is not given', {
    next: ['signalbox worker --redis URL', `or export ${REDIS_URL}=redis://…`],
  });
}
