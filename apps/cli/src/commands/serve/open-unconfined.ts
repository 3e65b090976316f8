import { UsageError } from '@signalbox/core';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import type { Context } from '../../runtime/contract/context.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { openCoordinator } from './open-coordinator.ts';

/** A coordinator with this process as its client; it may be in this process. */
export type OpenAccess = Readonly<{ access: LocalAccess; close(): Promise<void> }>;

/**
 * An unconfined coordinator for one subcommand, on the user's own request, and reached like any other.
 *
 * @throws {UsageError} `coordinator-confined` if one runs here
 */
export async function openUnconfined(
  context: Context,
  { subcommand, what }: Readonly<{ subcommand: string; what: string }>,
): Promise<OpenAccess> {
  if ((await findCoordinator(context, what)) !== null) throw confinedAlready();
  const { ended, close } = await openCoordinator(context, { subcommand, unconfined: true });
  void ended.then(close);
  try {
    return { access: await connectCoordinator(context, { what, start: false }), close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function confinedAlready(): UsageError {
  return new UsageError(
    'coordinator-confined',
    'Cannot run unconfined: a coordinator with a sandbox is running',
    {
      why: ['the sandbox is chosen when the coordinator starts, for everyone who uses it'],
      next: ['signalbox stop, then again', 'without --unconfined it runs in the sandbox'],
    },
  );
}
