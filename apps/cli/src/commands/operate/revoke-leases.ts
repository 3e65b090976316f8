import type { ApiClient } from '@signalbox/api';
import type { RevokeAnswer } from '@signalbox/coordinator';
import { type Lease, shortId, UsageError } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { findCommand } from '../../client/readers/find-command.ts';
import { withCoordinator } from '../../client/readers/with-coordinator.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { claimsText } from '../../views/leases-view.ts';

/**
 * `signalbox leases revoke m2qd`: all are looked up before the first is revoked, so that a mistyped id revokes nothing.
 *
 * @throws {UsageError} `unknown-id`, `ambiguous-id`
 */
export async function revokeLeases(
  ids: readonly string[],
  reason: string,
  context: Context,
): Promise<ExitCode> {
  if (ids.length === 0) {
    throw new UsageError('usage', 'Cannot revoke: name the command that holds the lease', {
      next: ['signalbox leases'],
    });
  }
  return withCoordinator(context, { what: 'revoke a lease', start: false }, async (client, reader) => {
    const { leases } = (await reader.queue(1)).snapshot;
    const named = await Promise.all(
      ids.map(async (id) => (id.startsWith('@') ? (await findCommand(reader.commands, id)).id : id)),
    );
    const wanted = [...new Set(named.map((id) => findLease(leases, id)))];
    const answers: { readonly lease: Lease; readonly kind: RevokeAnswer['kind'] }[] = [];
    for (const lease of wanted) {
      const kind = await revoke(client, reason, lease);
      context.print([revokedLine(lease, kind, context.render())]);
      answers.push({ lease, kind });
    }
    context.json({
      revoked: answers.map(({ lease: { leaseId, commandId }, kind }) => ({ leaseId, commandId, kind })),
    });
    return answers.every(({ kind }) => isRevoked(kind)) ? EXIT.ok : EXIT.conflict;
  });
}

/** It may have been released since it was read. */
async function revoke(
  client: ApiClient,
  reason: string,
  { leaseId: id }: Lease,
): Promise<RevokeAnswer['kind']> {
  try {
    return (await client.revokeLease({ id, reason })).kind;
  } catch (error) {
    if (error instanceof UsageError && error.code === 'unknown-lease') return 'unknown';
    if (error instanceof UsageError && error.code === 'already-done') return 'already-done';
    throw error;
  }
}

function isRevoked(kind: RevokeAnswer['kind']): boolean {
  return kind === 'cancelled' || kind === 'stopping';
}

const WORDS: Readonly<Record<RevokeAnswer['kind'], string>> = {
  stopping: 'is being stopped; frees when it exits:',
  cancelled: 'had not started and is cancelled; freed:',
  'already-done': 'has finished; holds until its changes are rolled back (signalbox queue):',
  unknown: 'had already released:',
};

function revokedLine(lease: Lease, kind: RevokeAnswer['kind'], render: RenderContext): Line {
  return line(
    as(isRevoked(kind) ? 'ok' : 'muted', '○'),
    ` ${idLabel(lease.commandId, render)} `,
    muted(lease.provider),
    ` ${WORDS[kind]} ${lease.claims.length === 0 ? 'its slot' : claimsText(lease)}`,
  );
}

const SHORTEST_BEGINNING = 3;

/** The lease that the user means: by its own id or its command's; any unique prefix. */
function findLease(leases: readonly Lease[], typed: string): Lease {
  const [, kind, beginning = ''] = /^(?:(cmd|lse)_)?(.*)$/.exec(typed) ?? [];
  const found = leases.filter(({ leaseId, commandId }) =>
    [...(kind === 'cmd' ? [] : [leaseId]), ...(kind === 'lse' ? [] : [commandId])].some((id) =>
      shortId(id, id.length).startsWith(beginning),
    ),
  );
  const [first, second] = found;
  if (first === undefined || beginning.length < SHORTEST_BEGINNING) {
    throw new UsageError('unknown-id', `Cannot revoke "${typed}": no command with that id holds a lease`, {
      why: ['give at least 3 characters of the id; to end a waiting command, use signalbox cancel'],
      next: ['signalbox leases'],
    });
  }
  if (second === undefined) return first;
  throw new UsageError(
    'ambiguous-id',
    `Cannot tell which lease "${typed}" is: ${found.length} begin with it`,
    {
      why: found.map((lease) => `${shortId(lease.commandId, 8)}  ${lease.provider}  ${claimsText(lease)}`),
      next: ['give one more character'],
    },
  );
}
