import { randomBytes } from 'node:crypto';
import { chmodSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import type { Server } from '@signalbox/server';
import { VERSION } from '../version.ts';
import { prepareSocket, readRecord, removeRecord, writeRecord } from './coordinator-record.ts';

/**
 * Lets a server listen on the socket of its workspace, and leaves word of it; answers how to take both away. Only for who
 * leads the workspace: what another one left there is replaced.
 */
export async function openSocket(
  server: Pick<Server, 'listenOn'>,
  options: Readonly<{
    workspace: string;
    env: Readonly<Record<string, string | undefined>>;
    /** Name of the account. */
    user: string;
    /** Epoch milliseconds. */
    startedAt: number;
  }>,
): Promise<Readonly<{ path: string; remove: () => void }>> {
  const { workspace, env, user, startedAt } = options;
  const left = readRecord(workspace);
  if (left !== null) {
    // On Redis several lead one workspace: the first of this machine has the socket.
    if (await accepts(left.socket)) return { path: left.socket, remove: () => undefined };
    removeRecord(workspace, left.nonce);
  }
  // Who closes a listening socket unlinks the name that it was bound to: under this one nobody else's can be.
  const { path, bound } = prepareSocket(workspace, env);
  rmSync(bound, { force: true });
  await server.listenOn(bound, { name: user });
  chmodSync(bound, 0o600);
  if (bound !== path) renameSync(bound, path);
  const nonce = randomBytes(12).toString('hex');
  writeRecord(workspace, { nonce, pid: process.pid, version: VERSION, startedAt, socket: path });
  return { path, remove: () => removeRecord(workspace, nonce) };
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
