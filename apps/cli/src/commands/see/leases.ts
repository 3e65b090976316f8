import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { withReader } from '../../client/readers/with-reader.ts';
import { leasesView } from '../../views/leases-view.ts';
import { waitGraphOf, waitTree } from '../../views/wait-tree.ts';
import { MAX_WAITING } from '../../views/queue-view.ts';
import { revokeLeases } from '../operate/revoke-leases.ts';

/** `signalbox leases`: leases and the commands waiting for them; `leases revoke m2qd` revokes one. */
export const leases = defineSubcommand({
  name: 'leases',
  args: z.object({
    action: z.enum(['list', 'revoke']).default('list'),
    id: z.array(z.string()).default([]),
    tree: z.boolean().default(false),
    message: z.string().trim().min(1).default('no reason given'),
  }),
  run({ action, id, tree, message }, context) {
    if (action === 'revoke') return revokeLeases(id, message, context);
    if (id.length === 0) return list(tree, context);
    throw new UsageError('unexpected-argument', `Cannot list "${id[0]}": list takes no id`, {
      next: [`signalbox leases revoke ${id[0]}`],
    });
  },
});

async function list(tree: boolean, context: Context): Promise<ExitCode> {
  const read = await withReader(context, (reader) => reader.queue(MAX_WAITING));
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
    lines: (render) => (tree ? waitTree(waitGraphOf(snapshot, commands), render) : leasesView(read, render)),
  });
  return EXIT.ok;
}
