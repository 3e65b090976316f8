import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { Clock } from '@signalbox/core';
import { identityOf } from '@signalbox/embedded';
import type { Server } from '@signalbox/server';
import { VERSION } from '../contract/version.ts';
import { STATE_FOLDER } from '../workspace/state-folder.ts';
import { prepareSocket, readRecord, removeRecord, RUN_FOLDER, writeRecord } from './coordinator-record.ts';
import { withFileLock } from './with-file-lock.ts';

/** Of a lock that is held for a few file operations. */
const LOCKED_WITHIN_MS = 5000;

/**
 * Lets a server listen on the socket of its workspace, and leaves word of it; answers how to take both away. Where another
 * process of this machine listens there, it keeps the socket: on Redis several lead one workspace.
 *
 * What a dead one left is removed under a lock, and only who wrote the record removes it: no coordinator takes away the
 * socket of its successor.
 */
export async function openSocket(
  server: Pick<Server, 'listenOn'>,
  options: Readonly<{
    workspace: string;
    env: Readonly<Record<string, string | undefined>>;
    /** Name of the account. */
    user: string;
    clock: Clock;
  }>,
): Promise<Readonly<{ isFound: () => boolean; remove: () => Promise<void> }>> {
  const { workspace, env, user, clock } = options;
  const { path, bound } = prepareSocket(workspace, env);
  const nonce = randomBytes(12).toString('hex');
  const identity = await identityOf(process.pid, hostname());

  function locked<Done>(work: () => Promise<Done>): Promise<Done> {
    const lock = join(workspace, STATE_FOLDER, RUN_FOLDER, 'socket.lock');
    return withFileLock(lock, { clock, withinMs: LOCKED_WITHIN_MS, subcommand: 'coordinator' }, work);
  }

  const isOurs = await locked(async () => {
    const left = readRecord(workspace);
    if (left !== null) {
      if (await accepts(left.socket)) return false;
      removeRecord(workspace, left.nonce);
    }
    // Who closes a listening socket unlinks the name that it was bound to: under this one nobody else's can be.
    rmSync(bound, { force: true });
    await server.listenOn(bound, { name: user });
    chmodSync(bound, 0o600);
    if (bound !== path) renameSync(bound, path);
    writeRecord(workspace, {
      nonce,
      pid: process.pid,
      process: identity,
      version: VERSION,
      startedAt: clock.now(),
      socket: path,
    });
    return true;
  });
  return {
    isFound: () => !isOurs || readRecord(workspace)?.nonce === nonce,
    async remove() {
      // Where the folder was removed, or its disk is full, nothing is left that would lead anybody here.
      if (isOurs) await locked(async () => removeRecord(workspace, nonce)).catch(() => undefined);
    },
  };
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
