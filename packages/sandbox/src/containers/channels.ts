import { randomUUID } from 'node:crypto';
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { SandboxError } from '@signalbox/core';
import { runTrusted } from '../programs.ts';

/** Where a container finds them. */
export const CHANNELS_AT = '/run/signalbox';

const NAMES = ['stdin', 'stdout', 'stderr', 'report', 'orders'] as const;

/** Named pipes between a keeper in a container and us, since an engine passes on no descriptors. */
export type Channels = {
  /** Holds the pipes until {@link Channels.seal}. */
  readonly folder: string;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly report: Socket;
  readonly orders: Socket;
  readonly all: readonly Socket[];
  /** When the keeper has opened them: takes their names away, so that nobody else can, and hears their end. */
  readonly seal: () => void;
};

/**
 * What a keeper does first: opens them, as the descriptors that it knows. Each is held at both ends meanwhile, or
 * it would wait for ever where we are dead; so it finds the end of its orders instead.
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
  // Held at both ends until the keeper has its own: a pipe without a writer would end, one without a reader fail.
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
