import { type LockHolder, livenessOf, ProcessIdentity } from '@signalbox/embedded';
import type { CommitWriter } from '@signalbox/sandbox';

/** Marks those who have the workspace's lock while they live. */
const LOCKED = 'lock-';

/** The holder of the workspace's lock, as one that puts files there. */
export function lockedWriter({ nonce, process }: LockHolder): CommitWriter {
  return { id: `${LOCKED}${nonce}`, identity: process };
}

/**
 * Whether another writer is dead for sure, as who has the lock knows it: an earlier holder of it is. Any other must
 * be seen dead; where that can't be seen, as on another machine, it counts as alive.
 */
export async function isWriterGone({ id, identity }: CommitWriter, host: string): Promise<boolean> {
  if (id.startsWith(LOCKED)) return true;
  const known = ProcessIdentity.safeParse(identity);
  return known.success && (await livenessOf(known.data, host)) === 'dead';
}
