import { basename } from 'node:path';
import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { confirmAtStart } from '../config/trust-settings.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { as, line, muted } from '../screen/line.ts';
import { interrupted } from '../serve/interrupted.ts';
import { REDIS_URL } from '../place/redis-address.ts';
import { listenFlags, serveOptions } from '../serve/listen-flags.ts';
import { openDashboard } from '../serve/open-dashboard.ts';
import { endByDeadline } from '../serve/stop-deadline.ts';
import { tellRecovery } from '../serve/tell-recovery.ts';
import { followSettings } from '../settings/follow-settings.ts';
import { settingsOnDisk } from '../settings/watch-settings.ts';
import { notSetUp } from '../workspace/not-set-up.ts';
import { tellTroubles } from '../frame/tell-troubles.ts';

/** `signalbox serve`: the workspace's coordinator with its HTTP door, until it is stopped. */
export const serve = defineSubcommand({
  name: 'serve',
  args: z.object({
    ...listenFlags,
    unconfined: z.boolean().default(false),
    redis: z.string().min(1).optional(),
    volatile: z.boolean().default(false),
    local: z.boolean().default(true),
    open: z.boolean().default(false),
    inspect: z.boolean().default(false),
  }),
  async run({ unconfined, redis, volatile, local, open, inspect, ...flags }, context) {
    const address = redis ?? (context.env[REDIS_URL] || undefined);
    if (address === undefined) checkAlone(volatile, local);
    await confirmAtStart(context);
    const followed = settingsOnDisk({ ...context, withoutSandbox: unconfined });
    const { settings, notes } = await followed.load();
    for (const { message } of notes) context.say([line(as('warn', 'note '), message)]);
    const stopping = new AbortController();
    const options = serveOptions(flags, context, stopping.signal);
    const house = await context.doors.openHouse({
      workspace: context.directory,
      settings,
      unconfined,
      inspect,
      user: context.user,
      subcommand: 'serve',
      ...(address === undefined ? {} : { redis: { url: address, volatile } }),
      workersOnly: !local,
      apiKeys: context.env,
      clock: context.clock,
    });
    try {
      tellTroubles(house, context);
      const { url } = await house.openServer(options);
      const unfollow = followSettings(
        house,
        { ...followed, before: settings, clock: context.clock },
        (lines) => {
          context.say(lines);
        },
      );
      const stopped = interrupted(context);
      context.json({ event: 'server.started', url });
      context.say([
        line(as('bold', basename(context.directory)), ' · served at ', as('accent', url)),
        line(muted('signalbox dashboard   opens it in a browser')),
        line(muted(`${url}/docs   what programs can ask`)),
        ...notSetUp(context.directory),
      ]);
      const stopTelling = tellRecovery(house.coordinator.recovery, context);
      if (open) await openDashboard(context, context.tell).catch(context.tellError);
      await stopped;
      stopTelling();
      stopping.abort();
      unfollow();
      context.say([line(as('warn', 'stopping'))]);
      endByDeadline({
        say: (text) => context.say([line(as('warn', text))]),
        exit: (exitCode) => process.exit(exitCode),
      });
    } finally {
      await house.close();
    }
    return EXIT.ok;
  },
});

function checkAlone(volatile: boolean, local: boolean): void {
  if (!volatile && local) return;
  throw new UsageError('usage', `Cannot use --${volatile ? 'volatile' : 'no-local'} without Redis`, {
    next: ['signalbox serve --redis URL', `or export ${REDIS_URL}=redis://…`],
  });
}
