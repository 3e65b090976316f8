import { CoordinatorState } from '@signalbox/api';
import { writtenDuration } from '@signalbox/core';
import type { Context } from '../frame/context.ts';
import { type Line, line, muted } from '../screen/line.ts';
import { dateAndTime, type Look, plural } from '../screen/look.ts';
import { askServer } from '../serve/ask-server.ts';
import { findCoordinator } from './find-coordinator.ts';

/**
 * The coordinator of this workspace as a process; null where none has the socket.
 *
 * @throws {UnavailableError} `coordinator-hangs` and the like.
 */
export async function coordinatorState(
  context: Pick<Context, 'directory' | 'clock'>,
): Promise<CoordinatorState | null> {
  const found = await findCoordinator(context, 'look');
  if (found === null) return null;
  return askServer(found.access, { method: 'GET', path: '/api/coordinator' }, CoordinatorState);
}

/** One row for people. */
export function coordinatorLine(state: CoordinatorState, look: Look): Line {
  const { pid, version, since, clients, idleExitMs, stopping } = state;
  const parts = [
    `process ${pid}`,
    `since ${dateAndTime(since, look)}`,
    version,
    plural(clients, 'client'),
    ...(stopping ? ['stopping'] : []),
    ...(idleExitMs === null || stopping ? [] : [`ends ${writtenDuration(idleExitMs)} after the last`]),
  ];
  return line(muted(`coordinator: ${parts.join(' · ')}`));
}
