import { PROTOCOL } from '@signalbox/api';
import { UnavailableError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import { line, muted } from '../terminal/line.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { findCoordinator, type FoundCoordinator } from './find-coordinator.ts';

type Where = Pick<Context, 'directory' | 'clock' | 'say'>;

/** Null if none runs or answers, or if it has another protocol: stored records can be read all the same. */
export async function coordinatorHere(context: Where): Promise<LocalAccess | null> {
  return accessOf(await findAnyCoordinator(context));
}

/**
 * Null if none runs or answers.
 *
 * @param onError receives the reason if one exists but does not answer
 */
export async function findAnyCoordinator(
  context: Where,
  onError: (error: UnavailableError) => void = () => undefined,
): Promise<FoundCoordinator | null> {
  try {
    return await findCoordinator(context, 'look');
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    if (error.code === 'coordinator-hangs')
      context.say([line(muted('The coordinator does not answer; showing the stored state'))]);
    onError(error);
    return null;
  }
}

/** Null if it has another protocol. */
export function accessOf(found: FoundCoordinator | null): LocalAccess | null {
  return found?.hello.protocol === PROTOCOL ? found.access : null;
}
