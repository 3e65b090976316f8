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
 * The coordinator of the workspace, connected as its owner. If it is recovering many earlier commands, this waits for
 * it and reports that.
 *
 * @param options `what` completes the sentence "Cannot …" of an error: `list the approvals`. `start`: starts a
 * coordinator if none runs.
 * @throws {UnavailableError} `no-coordinator` if none runs and `start` is false; `coordinator-hangs` if one accepts but
 * does not answer; `other-protocol` if the versions are incompatible; the reason why a new one can't start
 */
export async function connectCoordinator(
  context: Where,
  { what, start }: Readonly<{ what: string; start: boolean }>,
): Promise<LocalAccess> {
  let reported: number | null = null;
  function onRecovery(progress: RecoveryView | null): void {
    if (progress === null || progress.done === reported) return;
    reported = progress.done;
    context.say?.([recoveryLine(progress)]);
  }
  const found = await findCoordinator(context, what);
  if (found !== null && (await agreeWith(found, { what, mayReplace: start }, { context })) === 'use') {
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
    why: ['pending approvals stay pending; you can answer them when work resumes'],
    next: ['signalbox run …', 'past: signalbox history'],
  });
}
