import { accessSync, closeSync, constants, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { errorText, SandboxError } from '@signalbox/core';
import { takeServers, type ReceivedServers } from '../process.ts';

/** Takes the connections to a port; null rejects all. */
type Porter = ((socket: Socket) => void) | null;

/** A network namespace with nothing in it but ports that lead to us. */
export type NetworkNamespace = {
  /** Prefix that puts a program into it; append the program. */
  readonly argv: readonly [string, ...string[]];
  /** Port of the proxy, on 127.0.0.1. */
  readonly port: number;
  readonly setPorter: (porter: Porter) => void;
  /** Sets the porter of each requested port, in that order. */
  readonly setServicePorters: (porters: readonly Porter[]) => void;
  readonly close: () => void;
};

/**
 * Opens ports inside, passes them to us and waits until we hold the namespace. The proxy's is opened last, so
 * that it takes none of the requested ports.
 */
const scriptFor = (ports: readonly number[]): string => `
process.on('disconnect', () => process.exit());
const ports = ${JSON.stringify([...ports, 0])};
const open = () => {
  const server = require('net').createServer();
  server.listen(ports.shift(), '127.0.0.1', () => {
    process.send(process.pid, server);
    if (ports.length > 0) open();
  });
};
open();
`;

/**
 * Creates a namespace, which takes a process about 40 ms. No process stays in it: it exists as long as we hold
 * its descriptor, and ends with us.
 *
 * @throws {SandboxError} when the machine doesn't permit it
 */
export async function createNetworkNamespace(options: {
  /** Absolute path of the program. */
  readonly bubblewrap: string;
  readonly uid: number;
  /** Ports to open in addition. Default none. */
  readonly ports?: readonly number[];
}): Promise<NetworkNamespace> {
  const { bubblewrap, uid, ports = [] } = options;
  const nsenter = findNsenter();
  // Only root can create one without a user namespace.
  const user = uid === 0 ? [] : ['--unshare-user'];
  // The script notices when we die. Bubblewrap killed during its start would leave a process that waits
  // forever.
  const argv = ['--dev-bind', '/', '/', ...user, '--unshare-net', '--'];
  const script = scriptFor(ports);
  const taken = await takeServers([bubblewrap, ...argv], { script, count: ports.length + 1 }).catch(fail);
  try {
    return holdNamespace(taken, nsenter, { kinds: uid === 0 ? ['net'] : ['net', 'user'] });
  } catch (cause) {
    for (const server of taken.servers) server.close();
    return fail(cause);
  } finally {
    taken.dismiss();
  }
}

function holdNamespace(
  { servers, pid }: ReceivedServers,
  nsenter: string,
  { kinds }: Readonly<{ kinds: readonly string[] }>,
): NetworkNamespace {
  const address = servers.at(-1)?.address() ?? null;
  if (address === null || typeof address === 'string') throw new Error('its proxy has no port');
  const held = kinds.map((kind) => ({ kind, descriptor: openSync(`/proc/${pid}/ns/${kind}`, 'r') }));
  const entries = held.map(({ kind, descriptor }) => `--${kind}=/proc/${process.pid}/fd/${descriptor}`);
  const porters: Porter[] = servers.map(() => null);
  for (const [index, server] of servers.entries()) {
    server.unref();
    server.on('connection', (socket) => {
      const porter = porters[index] ?? null;
      if (porter === null) socket.destroy();
      else porter(socket);
    });
  }
  return {
    argv: [nsenter, '--preserve-credentials', ...entries, '--'],
    port: address.port,
    setPorter(next) {
      porters[servers.length - 1] = next;
    },
    setServicePorters(next) {
      for (let index = 0; index < servers.length - 1; index++) porters[index] = next[index] ?? null;
    },
    close() {
      for (const server of servers) server.close();
      for (const { descriptor } of held) closeSync(descriptor);
    },
  };
}

function fail(cause: unknown): never {
  throw new SandboxError('Cannot filter the network of a command: no network namespace could be created', {
    cause,
    why: [errorText(cause)],
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
      // Try the next one.
    }
  }
  throw new SandboxError('Cannot filter the network of a command: the program "nsenter" is not installed', {
    next: ['Install the package "util-linux"', 'signalbox doctor'],
  });
}
