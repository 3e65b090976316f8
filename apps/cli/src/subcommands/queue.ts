import { readStuckCommands } from '@signalbox/coordinator';
import * as z from 'zod';
import { ProviderArgument } from '../frame/argument-schemas.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withRecords } from '../frame/with-records.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { queueView } from '../views/queue-view.ts';

/** `signalbox queue`: who waits for whom. */
export const queue = defineSubcommand({
  name: 'queue',
  args: z.object({ provider: ProviderArgument.optional() }),
  async run({ provider }, context) {
    const { settings } = await loadSettings(context);
    await withRecords(context, async (records) => {
      const { waiting, leases } = await records.queue();
      const stuck = await readStuckCommands(records.facts);
      const wanted = waiting.filter((entry) => provider === undefined || entry.provider === provider);
      const snapshot = { waiting: wanted, leases };
      const ids = [
        ...wanted.flatMap(({ commandId, blockers }) => [commandId, ...blockers]),
        ...leases.map(({ commandId }) => commandId),
      ];
      const found = await Promise.all([...new Set(ids)].map((id) => records.store.get(id)));
      const commands = new Map(
        found.flatMap((record) => (record === null ? [] : [[record.id, record] as const])),
      );
      const { max_concurrent_executions: maxConcurrent, max_wait: maxWaitMs } = settings.execution;
      context.answer({
        json: () => ({
          running: leases,
          stuck,
          waiting: wanted.map((entry) => ({ ...entry, command: commands.get(entry.commandId) ?? null })),
        }),
        lines: (look) => queueView({ snapshot, stuck, commands, maxConcurrent, maxWaitMs }, look),
      });
    });
    return EXIT.ok;
  },
});
