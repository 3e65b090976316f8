import { randomUUID } from 'node:crypto';
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { SandboxError } from '@signalbox/core';
import { runTrusted } from '../programs.ts';

/** Where a container finds the pipes. */
export const CHANNELS_AT = '/run/signalbox';

const NAMES = ['stdin', 'stdout', 'stderr', 'report', 'orders'] as const;

/** Named pipes between a sandbox init in a container and us, since an engine passes on no descriptors. */
export type Channels = {
  /** The folder of the pipes until {@link Channels.seal}. */
  readonly folder: string;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly report: Socket;
  readonly orders: Socket;
  readonly all: readonly Socket[];
  /**
   * Call once the sandbox init has opened the pipes: removes their names, so that no other process can open
   * them, and closes our spare ends, so that we notice when the init closes its own.
   */
  readonly seal: () => void;
};

/**
 * Run first by a sandbox init: opens the pipes as the descriptors it expects. Each is held open at both ends
 * meanwhile. Otherwise it would block forever if we are dead; this way it sees the end of its orders.
 */
export const OPEN_CHANNELS = `
cd ${CHANNELS_AT} && exec 5<>stdin 6<>stdout 7<>stderr 8<>report 9<>orders || exit 125
exec 0<stdin 1>stdout 2>stderr 3>report 4<orders || exit 125
exec 5>&- 6>&- 7>&- 8>&- 9>&-
cd /
`;

export function createChannels(parent: string): Channels {
  const folder = `${parent}/container-${randomUUID()}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const at = (name: string): string => `${folder}/${name}`;
  const [first, ...others] = NAMES.map(at);
  if (runTrusted(['mkfifo', '--mode=600', first ?? '', ...others], '/usr/bin:/bin') === null) {
    throw new SandboxError('Cannot run the command: no pipes can be made', { next: ['signalbox doctor'] });
  }
  // Held open at both ends until the sandbox init has its own: without a writer a pipe would end, and without a
  // reader opening it would fail.
  const held: number[] = [];
  const reader = (name: string): Socket => {
    const fd = openSync(at(name), constants.O_RDONLY | constants.O_NONBLOCK);
    held.push(openSync(at(name), constants.O_WRONLY));
    return new Socket({ fd, readable: true, writable: false });
  };
  const writer = (name: string): Socket => {
    held.push(openSync(at(name), constants.O_RDONLY | constants.O_NONBLOCK));
    const stream = new Socket({
      fd: openSync(at(name), constants.O_WRONLY),
      readable: false,
      writable: true,
    });
    return stream.on('error', () => undefined);
  };
  const [stdin, orders] = [writer('stdin'), writer('orders')];
  const [stdout, stderr, report] = [reader('stdout'), reader('stderr'), reader('report')];
  return {
    folder,
    stdin,
    stdout,
    stderr,
    report,
    orders,
    all: [stdin, stdout, stderr, report, orders],
    seal() {
      for (const fd of held.splice(0)) closeSync(fd);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
