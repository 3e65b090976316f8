import { basename } from 'node:path';
import type { RecoveryView } from '@signalbox/api';
import { UnavailableError } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import type { LocalAccess } from '../runtime/server/local-access.ts';
import { agreeWith } from './agree-with.ts';
import { findCoordinator } from './find-coordinator.ts';
import { recoveryLine } from './recovery-line.ts';

type Where = Pick<Context, 'directory' | 'entry' | 'env' | 'user' | 'clock'> & Partial<Pick<Context, 'say'>>;

/**
 * The coordinator of the workspace, reached as its owner. One that takes up many commands of before is waited for in its
 * queue: that is said.
 *
 * @param options `what` is being done, for the sentence that says that it cannot be: `list the approvals`. `start`: starts
 *   one where none runs.
 * @throws {UnavailableError} `no-coordinator` where none runs and none is to be started; `coordinator-hangs` where one
 *   accepts and does not answer; `other-protocol` where this program and that one do not understand each other; what keeps
 *   a new one from starting.
 */
export async function connectCoordinator(
  context: Where,
  { what, start }: Readonly<{ what: string; start: boolean }>,
): Promise<LocalAccess> {
  let said: number | null = null;
  function onRecovery(progress: RecoveryView | null): void {
    if (progress === null || progress.done === said) return;
    said = progress.done;
    context.say?.([recoveryLine(progress)]);
  }
  const found = await findCoordinator(context, what);
  if (found !== null && (await agreeWith(found, { what, mayReplace: start }, context)) === 'use') {
    onRecovery(found.hello.recovering);
    return found.access;
  }
  if (!start) throw noCoordinator(context, what);
  const { directory: workspace, env, user, clock } = context;
  await context.entry.startCoordinator({ workspace, env, user, clock, onRecovery });
  const started = await findCoordinator(context, what);
  if (started === null) throw noCoordinator(context, what);
  onRecovery(started.hello.recovering);
  return started.access;
}

function noCoordinator({ directory }: Pick<Context, 'directory'>, what: string): UnavailableError {
  return new UnavailableError('no-coordinator', `Cannot ${what}: nothing runs in "${basename(directory)}"`, {
    why: ['a pending approval stays pending, and can be answered when work goes on'],
    next: ['signalbox run …', 'past: signalbox history'],
  });
}
