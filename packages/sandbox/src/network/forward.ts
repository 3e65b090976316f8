import type { Socket } from 'node:net';
import { type Clock, describeTarget, errorText, isLocalhost, type Target } from '@signalbox/core';
import type { ConnectionLog } from './connection-log.ts';
import { dial } from './dial.ts';

export type Forward = {
  /** Takes over a connection opened by a command. */
  readonly serve: (socket: Socket) => void;
  /** Cuts every connection. */
  readonly close: () => void;
};

/** For one service at a time. */
const MAX_CONNECTIONS = 256;

/** Forwards connections of a command to a service on this machine's loopback, for any protocol. */
export function createForward(
  target: Target,
  { log, clock }: { readonly log: ConnectionLog; readonly clock: Clock },
): Forward {
  const open = new Set<Socket>();
  const name = describeTarget(target);
  const addresses = isLocalhost(target.host) ? ['127.0.0.1', '::1'] : [target.host.text];
  let isClosed = false;

  function keep(socket: Socket): void {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  }

  async function forward(socket: Socket): Promise<void> {
    try {
      const service = await dial(target, addresses, clock);
      if (isClosed || socket.destroyed) return void service.destroy();
      keep(service);
      const end = log.add({ target: name, outcome: 'reached', why: null });
      service.once('close', () => {
        end({ sentBytes: service.bytesWritten, receivedBytes: service.bytesRead });
        socket.destroySoon();
      });
      socket.once('close', () => service.destroySoon());
      socket.pipe(service);
      service.pipe(socket);
    } catch (cause) {
      const why = errorText(cause);
      log.add({ target: name, outcome: 'failed', why });
      socket.destroy();
    }
  }

  return {
    serve(socket) {
      if (isClosed || open.size >= 2 * MAX_CONNECTIONS) {
        log.add({ target: name, outcome: 'refused', why: `it had ${MAX_CONNECTIONS} connections open` });
        return void socket.destroy();
      }
      keep(socket);
      void forward(socket);
    },
    close() {
      isClosed = true;
      for (const socket of open) socket.destroy();
    },
  };
}
