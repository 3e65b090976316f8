import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy to a server that can be cut without either end noticing. */
export type TcpProxy = {
  readonly port: number;
  /** Stops forwarding in both directions; connections stay open. */
  cut(): void;
  /** Forwards again, including what was held back. */
  mend(): void;
  /** Stops forwarding on the current connections for good; new ones are served. */
  forget(): void;
  close(): Promise<void>;
};

/** @param socket path of the server's unix socket */
export async function startTcpProxy(socket: string): Promise<TcpProxy> {
  const ends = new Set<Socket>();
  const forgotten = new Set<Socket>();
  let isCut = false;

  const join = (from: Socket, to: Socket): void => {
    ends.add(from);
    from.on('data', (bytes) => void to.write(bytes));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      ends.delete(from);
      to.destroy();
    });
    if (isCut) from.pause();
  };

  const server = createServer((client) => {
    const upstream = connect(socket);
    join(client, upstream);
    join(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    port: address.port,
    cut() {
      isCut = true;
      for (const end of ends) end.pause();
    },
    mend() {
      isCut = false;
      for (const end of ends) end.resume();
    },
    forget() {
      for (const end of ends) forgotten.add(end.pause());
      ends.clear();
    },
    async close() {
      for (const end of [...ends, ...forgotten]) end.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
