import { type LockHolder, livenessOf, ProcessIdentity } from '@signalbox/embedded';
import type { CommitWriter } from '@signalbox/sandbox';

/** Prefix of the ids of writers that hold the workspace lock. */
const LOCKED = 'lock-';

/** The holder of the workspace lock, as a commit writer. */
export function lockedWriter({ nonce, process }: LockHolder): CommitWriter {
  return { id: `${LOCKED}${nonce}`, identity: process };
}

/**
 * Whether another writer is certainly dead, as seen by the lock holder: an earlier holder is. Any other writer must be
 * observed dead. If that is impossible, as on another machine, it counts as alive.
 */
export async function isWriterGone({ id, identity }: CommitWriter, host: string): Promise<boolean> {
  if (id.startsWith(LOCKED)) return true;
  const known = ProcessIdentity.safeParse(identity);
  return known.success && (await livenessOf(known.data, host)) === 'dead';
}
