import * as z from 'zod';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { withSight } from '../frame/with-sight.ts';
import { leasesView } from '../views/leases-view.ts';
import { waitGraphOf, waitTree } from '../views/wait-tree.ts';

/** `signalbox leases`: who holds what, since when, and who waits for it; `--tree` draws who waits for whom. */
export const leases = defineSubcommand({
  name: 'leases',
  args: z.object({ tree: z.boolean().default(false) }),
  async run({ tree }, context) {
    const read = await withSight(context, (sight) => sight.queue());
    const { snapshot, commands } = read;
    context.answer({
      json: () => ({
        leases: snapshot.leases.map((lease) => ({
          ...lease,
          command: commands.get(lease.commandId) ?? null,
          waiting: snapshot.waiting
            .filter(({ blockers }) => blockers.includes(lease.commandId))
            .map(({ commandId }) => commandId),
        })),
        waiting: snapshot.waiting.map(({ commandId, provider, claims, since, blockers }) => ({
          commandId,
          provider,
          claims,
          since,
          blockers,
        })),
      }),
      lines: (look) => (tree ? waitTree(waitGraphOf(snapshot, commands), look) : leasesView(read, look)),
    });
    return EXIT.ok;
  },
});
