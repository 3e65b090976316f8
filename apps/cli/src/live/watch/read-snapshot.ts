import { clientAt } from '../../client/client-at.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import type { ConnectionUpdate } from './frame/connection-update.ts';

type SnapshotUpdate = ConnectionUpdate & { readonly kind: 'snapshot' };

/** The current state of a server, and whether it is out of date because its backend is away. */
export async function readSnapshot(
  access: LocalAccess,
  after: SnapshotUpdate['after'],
  signal?: AbortSignal,
): Promise<readonly [SnapshotUpdate, ...ConnectionUpdate[]]> {
  let away: ConnectionUpdate[] = [];
  const client = clientAt(access, {
    onAsOf: (asOf) => {
      away = [{ kind: 'away', asOf, why: 'Redis does not answer' }];
    },
  });
  const snapshot = await client.getSnapshot({}, signal);
  return [{ kind: 'snapshot', snapshot, after }, ...away];
}
