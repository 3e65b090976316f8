import { accessSync, closeSync, constants, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { SandboxError } from '@signalbox/core';
import { takeServer, type TakenServer } from '../process.ts';

/** A network of its own with nothing on it but a door to us. */
export type NetworkNamespace = {
  /** Puts a program into it; to be followed by that program. */
  readonly argv: readonly [string, ...string[]];
  /** Where the door is, for who lives in it: on 127.0.0.1. */
  readonly port: number;
  /** Who takes the connections that are opened at the door; null turns all away. */
  readonly setPorter: (porter: ((socket: Socket) => void) | null) => void;
  readonly close: () => void;
};

/** Opens a port inside, hands it to us and waits until we have a hold of the namespace. */
const SCRIPT = `
process.on('disconnect', () => process.exit());
const server = require('net').createServer();
server.listen(0, '127.0.0.1', () => process.send(process.pid, server));
`;

/**
 * Makes a namespace, which takes a process some 40 ms. No process stays in it: it lives as long as we hold its
 * descriptor, and dies with us.
 *
 * @throws {SandboxError} when the machine does not let us.
 */
export async function createNetworkNamespace(options: {
  /** Absolute path of the program. */
  readonly bubblewrap: string;
  readonly uid: number;
}): Promise<NetworkNamespace> {
  const { bubblewrap, uid } = options;
  const nsenter = findNsenter();
  // Only root may make one without a user namespace.
  const user = uid === 0 ? [] : ['--unshare-user'];
  // When we die, the script hears of it. Bubblewrap killed in its start would leave a process that waits for ever.
  const argv = ['--dev-bind', '/', '/', ...user, '--unshare-net', '--'];
  const taken = await takeServer([bubblewrap, ...argv], SCRIPT).catch(fail);
  try {
    return holdNamespace(taken, nsenter, uid === 0 ? ['net'] : ['net', 'user']);
  } catch (cause) {
    taken.server.close();
    return fail(cause);
  } finally {
    taken.dismiss();
  }
}

function holdNamespace(
  { server, pid }: TakenServer,
  nsenter: string,
  kinds: readonly string[],
): NetworkNamespace {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('its door has no port');
  const held = kinds.map((kind) => ({ kind, descriptor: openSync(`/proc/${pid}/ns/${kind}`, 'r') }));
  const entries = held.map(({ kind, descriptor }) => `--${kind}=/proc/${process.pid}/fd/${descriptor}`);
  let porter: ((socket: Socket) => void) | null = null;
  server.unref();
  server.on('connection', (socket) => (porter === null ? socket.destroy() : porter(socket)));
  return {
    argv: [nsenter, '--preserve-credentials', ...entries, '--'],
    port: address.port,
    setPorter(next) {
      porter = next;
    },
    close() {
      server.close();
      for (const { descriptor } of held) closeSync(descriptor);
    },
  };
}

function fail(cause: unknown): never {
  throw new SandboxError('Cannot filter the network of a command: no namespace could be made for it', {
    cause,
    why: [cause instanceof Error ? cause.message : String(cause)],
    next: ['signalbox doctor'],
  });
}

/** The program of util-linux. */
function findNsenter(): string {
  for (const path of ['/usr/bin/nsenter', '/bin/nsenter']) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next one.
    }
  }
  throw new SandboxError('Cannot filter the network of a command: the program "nsenter" is not installed', {
    next: ['Install the package "util-linux"', 'signalbox doctor'],
  });
}
