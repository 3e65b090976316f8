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

/** For a lock that is held for a few file operations. */
const LOCKED_WITHIN_MS = 5000;

/**
 * Listens on the socket of the workspace and records it; returns how to undo both. If another process of this machine
 * listens there, it keeps the socket: on Redis several nodes lead one workspace.
 *
 * Leftovers of a dead process are removed under a lock, and only the writer of a record removes it: no coordinator
 * removes the socket of its successor.
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
    // Closing a listening socket unlinks the name it was bound to. No other process can have this name.
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
      // If the folder was removed or its disk is full, nothing is left that would lead a client here.
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
