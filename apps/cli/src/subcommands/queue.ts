import type { SchedulerSnapshot } from '@signalbox/core';
import * as z from 'zod';
import { ProviderArgument } from '../frame/argument-schemas.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withSight } from '../frame/with-sight.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { type QueueData, queueView } from '../views/queue-view.ts';

/** `signalbox queue`: who waits for whom. */
export const queue = defineSubcommand({
  name: 'queue',
  args: z.object({ provider: ProviderArgument.optional() }),
  async run({ provider }, context) {
    const { snapshot: all, stuck, commands } = await withSight(context, (sight) => sight.queue());
    const waiting = all.waiting.filter((entry) => provider === undefined || entry.provider === provider);
    const snapshot = { waiting, leases: all.leases };
    const limits = await limitsHere(context);
    context.answer({
      json: () => ({
        running: snapshot.leases,
        stuck,
        waiting: waiting.map((entry) => ({ ...entry, command: commands.get(entry.commandId) ?? null })),
        counts: countsOf(snapshot, context.clock.now()),
      }),
      lines: (look) => queueView({ snapshot, stuck, commands, limits }, look),
    });
    return EXIT.ok;
  },
});

/** Those of a server elsewhere stand in its settings. */
async function limitsHere(context: Context): Promise<QueueData['limits']> {
  if (context.flags.server !== undefined) return null;
  const { settings } = await loadSettings(context);
  const { max_concurrent_executions: maxConcurrent, max_wait: maxWaitMs } = settings.execution;
  return { maxConcurrent, maxWaitMs };
}

function countsOf({ waiting, leases }: SchedulerSnapshot, now: number) {
  const ages = waiting.map(({ since }) => now - since);
  return {
    running: leases.length,
    waiting: waiting.length,
    /** Null while nobody waits. */
    oldestMs: ages.length === 0 ? null : Math.max(...ages),
    byProvider: Object.fromEntries(
      [...Map.groupBy(waiting, ({ provider }) => provider)].map(([of, them]) => [of, them.length]),
    ),
  };
}
