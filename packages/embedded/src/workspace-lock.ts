import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type RandomBytes, UnavailableError } from '@signalbox/core';
import { leaveLock, type LockAnswer, type LockHolder, readLock, takeLock } from './lock-file.ts';
import { identityOf, livenessOf } from './process-identity.ts';

export type WorkspaceLock = {
  readonly holder: LockHolder;
  /** Frees the workspace for the next coordinator. Releasing twice does nothing. */
  release(): Promise<void>;
};

export type WorkspaceLockOptions = {
  /** The workspace's `.signalbox`, created if missing; the workspace itself is not created. */
  readonly folder: string;
  /** Name of this machine. */
  readonly host: string;
  /** Pid of this process. */
  readonly pid: number;
  /** The subcommand that started this process, such as `run`; shown to others that find the workspace held. */
  readonly subcommand: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
};

const LOCK_NAME = 'coordinator.lock';

/**
 * Makes this process the only coordinator of an embedded workspace. The lock of a dead process is taken over, however
 * it died. If two processes start at once, exactly one wins.
 *
 * @throws {UnavailableError} `workspace-held`: its message names the holder and the next step.
 */
export async function acquireWorkspaceLock(options: WorkspaceLockOptions): Promise<WorkspaceLock> {
  const { folder, host, pid, subcommand, clock, random } = options;
  await makeFolder(folder);
  const path = join(folder, LOCK_NAME);
  const holder: LockHolder = {
    nonce: Buffer.from(random(12)).toString('hex'),
    process: await identityOf(pid, host),
    startedAt: clock.now(),
    subcommand,
  };
  const answer = await takeLock(path, holder);
  if (answer.kind === 'held') throw await workspaceHeld(folder, host, answer);
  return { holder, release: () => leaveLock(path, holder.nonce) };
}

/** Not `recursive`: on a read-only file system that reports a missing directory instead. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

/** The workspace's coordinator; null if there is none or it has died. */
export async function findWorkspaceHolder(folder: string, host: string): Promise<LockHolder | null> {
  const holder = await readLock(join(folder, LOCK_NAME));
  if (holder === null || (await livenessOf(holder.process, host)) === 'dead') return null;
  return holder;
}

async function workspaceHeld(
  folder: string,
  host: string,
  { path, holder }: Extract<LockAnswer, { kind: 'held' }>,
): Promise<UnavailableError> {
  const message = `Cannot coordinate the workspace of "${folder}"`;
  const remove = `If none is running, remove the file: rm "${path}"`;
  if (holder === null)
    return new UnavailableError('workspace-held', `${message}: its lock file is unreadable`, {
      next: [remove],
    });
  const { pid, host: theirHost } = holder.process;
  const isHere = (await livenessOf(holder.process, host)) !== 'unknown';
  const where = isHere ? `process ${pid}` : `process ${pid} on "${theirHost}"`;
  return new UnavailableError('workspace-held', `${message}: \`signalbox ${holder.subcommand}\` holds it`, {
    why: [`it is ${where}, started ${new Date(holder.startedAt).toISOString()}`],
    next: isHere
      ? ['Use that one, or wait until it stops', `Stop it: kill ${pid}`]
      : ['Use that one; whether it is still running can’t be checked from here', remove],
  });
}
