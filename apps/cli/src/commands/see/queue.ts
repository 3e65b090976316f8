import type { ProviderId } from '@signalbox/core';
import * as z from 'zod';
import { PriorityArgument, ProviderArgument } from '../table/argument-schemas.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { keepShowing, quiet } from '../../live/keep-showing.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { onlyRaises, raise } from '../operate/raise-commands.ts';
import { limitsOf } from '../../runtime/limits-of.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { MAX_WAITING, type QueueData, queueView, waitingIn } from '../../views/queue-view.ts';

/** How many are searched for those of one provider. */
const MAX_SEARCHED = 2000;

/**
 * `signalbox queue`: waiting commands and their blockers; `--follow` continues with each change. `queue raise ID`: it
 * runs next.
 */
export const queue = defineSubcommand({
  name: 'queue',
  args: z.object({
    action: z.enum(['list', 'raise']).default('list'),
    id: z.array(z.string()).default([]),
    priority: PriorityArgument.optional(),
    provider: ProviderArgument.optional(),
    follow: z.boolean().default(false),
  }),
  async run({ action, id, priority, provider, follow }, context) {
    if (action === 'raise') return raise(id, { priority }, context);
    if (id.length > 0 || priority !== undefined) throw onlyRaises();
    const json = (data: QueueData): unknown => toJson(data, context.clock.now());
    if (follow) {
      const read = (): Promise<QueueData> => readQueue(provider, quiet(context));
      return keepShowing({ read, json, lines: queueView, facts }, context);
    }
    const data = await readQueue(provider, context);
    context.answer({ json: () => json(data), lines: (render) => queueView(data, render) });
    return EXIT.ok;
  },
});

async function readQueue(provider: ProviderId | undefined, context: Context): Promise<QueueData> {
  const max = provider === undefined ? MAX_WAITING : MAX_SEARCHED;
  const { snapshot, counts, ...read } = await withReader(context, (reader) => reader.queue(max));
  const isWanted = (of: { readonly provider: ProviderId }): boolean =>
    provider === undefined || of.provider === provider;
  return {
    ...read,
    snapshot: { ...snapshot, waiting: snapshot.waiting.filter(isWanted) },
    counts: counts.filter(isWanted),
    limits: await limitsHere(context),
  };
}

function toJson(data: QueueData, now: number): unknown {
  const { snapshot, stuck, commands } = data;
  return {
    running: snapshot.leases,
    stuck,
    waiting: snapshot.waiting.map((entry) => ({ ...entry, command: commands.get(entry.commandId) ?? null })),
    /** Waiting commands that are not listed. */
    more: waitingIn(data) - snapshot.waiting.length,
    counts: countsOf(data, now),
  };
}

/** Without the expiry: leases are renewed all the time. */
function facts({ snapshot: { waiting, leases }, stuck }: QueueData): unknown {
  return [leases.map(({ commandId }) => commandId), waiting, stuck.map(({ command }) => command)];
}

/** Those of a server elsewhere are in its settings. */
async function limitsHere(context: Context): Promise<QueueData['limits']> {
  if (context.flags.server !== undefined) return null;
  const { settings } = await loadSettings(context);
  const { maxConcurrent, maxWaitMs } = limitsOf(settings);
  return { maxConcurrent, maxWaitMs };
}

function countsOf(data: QueueData, now: number) {
  const { waiting, leases } = data.snapshot;
  const ages = waiting.map(({ since }) => now - since);
  const queued = data.counts.filter(({ state }) => state === 'queued');
  return {
    running: leases.length,
    waiting: waitingIn(data),
    /** Null while nothing waits. */
    oldestMs: ages.length === 0 ? null : Math.max(...ages),
    byProvider: Object.fromEntries(queued.map(({ provider, commands }) => [provider, commands])),
  };
}
