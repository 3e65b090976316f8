import type { ProviderId, SchedulerSnapshot } from '@signalbox/core';
import * as z from 'zod';
import { ProviderArgument } from '../frame/argument-schemas.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { keepShowing, quiet } from '../frame/keep-showing.ts';
import { withSight } from '../frame/with-sight.ts';
import { limitsOf } from '../place/limits-of.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { type QueueData, queueView } from '../views/queue-view.ts';

/** `signalbox queue`: who waits for whom; `--follow` goes on as it changes. */
export const queue = defineSubcommand({
  name: 'queue',
  args: z.object({ provider: ProviderArgument.optional(), follow: z.boolean().default(false) }),
  async run({ provider, follow }, context) {
    const json = (data: QueueData): unknown => toJson(data, context.clock.now());
    if (follow) {
      const read = (): Promise<QueueData> => readQueue(provider, quiet(context));
      return keepShowing({ read, json, lines: queueView, facts }, context);
    }
    const data = await readQueue(provider, context);
    context.answer({ json: () => json(data), lines: (look) => queueView(data, look) });
    return EXIT.ok;
  },
});

async function readQueue(provider: ProviderId | undefined, context: Context): Promise<QueueData> {
  const { snapshot, stuck, commands } = await withSight(context, (sight) => sight.queue());
  const waiting = snapshot.waiting.filter((entry) => provider === undefined || entry.provider === provider);
  return {
    snapshot: { waiting, leases: snapshot.leases },
    stuck,
    commands,
    limits: await limitsHere(context),
  };
}

function toJson({ snapshot, stuck, commands }: QueueData, now: number): unknown {
  return {
    running: snapshot.leases,
    stuck,
    waiting: snapshot.waiting.map((entry) => ({ ...entry, command: commands.get(entry.commandId) ?? null })),
    counts: countsOf(snapshot, now),
  };
}

/** Leases are renewed all the time. */
function facts({ snapshot: { waiting, leases }, stuck }: QueueData): unknown {
  return [leases.map(({ commandId }) => commandId), waiting, stuck.map(({ command }) => command)];
}

/** Those of a server elsewhere stand in its settings. */
async function limitsHere(context: Context): Promise<QueueData['limits']> {
  if (context.flags.server !== undefined) return null;
  const { settings } = await loadSettings(context);
  const { maxConcurrent, maxWaitMs } = limitsOf(settings);
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
