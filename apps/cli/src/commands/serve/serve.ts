import { basename } from 'node:path';
import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { openPort } from '../../client/open-port.ts';
import { checkSettingsFiles } from '../setup/trust-settings.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { as, line, muted } from '../../terminal/line.ts';
import { interrupted } from '../../live/interrupted.ts';
import { REDIS_URL } from '../../runtime/workspace/redis-address.ts';
import { listenFlags, listenOptions, reuseOf } from './listen-flags.ts';
import { openCoordinator } from './open-coordinator.ts';
import { openDashboard } from './open-dashboard.ts';
import { endByDeadline } from './stop-deadline.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { notSetUp } from '../../runtime/workspace/not-set-up.ts';

/** `signalbox serve`: opens the port of the workspace's coordinator, or with `--foreground` is that coordinator. */
export const serve = defineSubcommand({
  name: 'serve',
  args: z.object({
    ...listenFlags,
    foreground: z.boolean().default(false),
    unconfined: z.boolean().default(false),
    redis: z.string().min(1).optional(),
    volatile: z.boolean().default(false),
    local: z.boolean().default(true),
    open: z.boolean().default(false),
    inspect: z.boolean().default(false),
  }),
  async run({ foreground, open, ...flags }, context) {
    const { unconfined, redis, volatile, local, inspect } = flags;
    if ((redis ?? (context.env[REDIS_URL] || undefined)) === undefined) checkAlone(volatile, local);
    await checkSettingsFiles(context);
    const isOwn = foreground || inspect || unconfined || redis !== undefined || volatile || !local;
    return isOwn ? serveHere(flags, open, context) : servePort(flags, open, context);
  },
});

type ServeFlags = z.infer<z.ZodObject<typeof listenFlags>> &
  Readonly<{
    unconfined: boolean;
    redis?: string | undefined;
    volatile: boolean;
    local: boolean;
    inspect: boolean;
  }>;

/** The port closes with the last process that serves it; the coordinator continues for its other clients. */
async function servePort(flags: ServeFlags, open: boolean, context: Context): Promise<ExitCode> {
  const access = await connectCoordinator(context, { what: 'serve this workspace', start: true });
  const port = await openPort(access, listenOptions(flags, context), { reuse: reuseOf(flags) });
  const stopped = interrupted(context);
  reportServed(port.url, context);
  if (open) await openDashboard(access, context, { port: port.url }).catch(context.reportError);
  const isOurs = await Promise.race([stopped.then(() => true), port.closed.then(() => false)]);
  port.close();
  if (isOurs) {
    context.say([
      line(
        'port closed, unless another client uses it',
        muted(' · the coordinator keeps running while it is needed: signalbox stop'),
      ),
    ]);
    return EXIT.ok;
  }
  context.tell([line(as('warn', 'the coordinator has stopped'), ', so the port is closed')]);
  return EXIT.unavailable;
}

async function serveHere(
  { unconfined, redis, volatile, local, inspect, ...flags }: ServeFlags,
  open: boolean,
  context: Context,
): Promise<ExitCode> {
  const address = redis ?? (context.env[REDIS_URL] || undefined);
  const options = listenOptions(flags, context);
  const { notes } = await loadSettings({ ...context, withoutSandbox: unconfined });
  for (const { message } of notes) context.say([line(as('warn', 'note '), message)]);
  // Before any client can find it: without the handler, a signal would end the process without a shutdown.
  const stopped = interrupted(context);
  const served = await openCoordinator(context, {
    subcommand: 'serve',
    unconfined,
    inspect,
    ...(address === undefined ? {} : { redis: { url: address, volatile } }),
    workersOnly: !local,
    isForeground: true,
    async onServed(api) {
      const { url } = await api.listen(options, reuseOf(flags));
      reportServed(url, context);
      if (open) await openHere(url, context).catch(context.reportError);
    },
  });
  const end = await Promise.race([
    stopped.then(() => 'leave' as const),
    served.ended.then(() => 'close' as const),
  ]);
  context.say([line(as('warn', 'stopping'), end === 'leave' ? leftText(served.runtime.runs.count()) : '')]);
  endByDeadline({
    say: (text) => context.say([line(as('warn', text))]),
    exit: (exitCode) => process.exit(exitCode),
  });
  await served[end]();
  return EXIT.ok;
}

function leftText(runs: number): string {
  if (runs === 0) return '';
  return `: ${runs === 1 ? '1 run stays stored and continues' : `${runs} runs stay stored and continue`} with the next coordinator`;
}

async function openHere(url: string, context: Context): Promise<void> {
  const access = await connectCoordinator(context, { what: 'open the dashboard', start: false });
  await openDashboard(access, context, { port: access.pid === process.pid ? url : undefined });
}

function reportServed(url: string, context: Context): void {
  context.json({ event: 'server.started', url });
  context.say([
    line(as('bold', basename(context.directory)), ' · served at ', as('accent', url)),
    line(muted('signalbox dashboard   opens it in a browser')),
    line(muted(`${url}/docs   API reference`)),
    ...notSetUp(context.directory),
  ]);
}

function checkAlone(volatile: boolean, local: boolean): void {
  if (!volatile && local) return;
  throw new UsageError('usage', `Cannot use --${volatile ? 'volatile' : 'no-local'} without Redis`, {
    next: ['signalbox serve --redis URL', `or export ${REDIS_URL}=redis://…`],
  });
}
