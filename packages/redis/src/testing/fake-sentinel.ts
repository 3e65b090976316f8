import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A sentinel that names one master, and announces another one on request. */
export type FakeSentinel = {
  readonly port: number;
  /** Delays replies to master queries from now on; resolves at the first query. */
  hold(): Promise<void>;
  /** Sends the delayed replies. */
  answerHeld(): void;
  /** Announces a new master to all subscribers. */
  announceSwitch(): void;
  listeners(): number;
  close(): Promise<void>;
};

/** @param masterPort port of the master on this machine */
export async function startFakeSentinel(masterPort: number): Promise<FakeSentinel> {
  const connections = new Set<Socket>();
  const listening = new Set<Socket>();
  let held: Socket[] | null = null;
  let onHeld: () => void = () => undefined;
  const named = wordsOf('127.0.0.1', String(masterPort));

  function answer(socket: Socket, [name = '', ...rest]: readonly string[]): void {
    switch (`${name} ${rest[0] ?? ''}`.toLowerCase()) {
      case 'sentinel get-master-addr-by-name':
        if (held === null) return void socket.write(named);
        held.push(socket);
        return onHeld();
      case 'sentinel sentinels':
        return void socket.write('*0\r\n');
      case 'subscribe +switch-master':
        listening.add(socket);
        return void socket.write(`*3\r\n${wordsOf('subscribe', '+switch-master').slice(4)}:1\r\n`);
      default:
        socket.write(`-ERR unknown command '${name}'\r\n`);
    }
  }

  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => [connections, listening].forEach((set) => set.delete(socket)));
    // Commands are short: each arrives in one piece.
    socket.on('data', (bytes) => {
      for (const command of String(bytes).split(/(?=^\*\d+\r\n)/m)) answer(socket, wordsIn(command));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    port: address.port,
    hold() {
      held = [];
      return new Promise((resolve) => (onHeld = resolve));
    },
    answerHeld() {
      for (const socket of held ?? []) socket.write(named);
      held = null;
    },
    announceSwitch() {
      for (const socket of listening) socket.write(wordsOf('message', '+switch-master', 'main'));
    },
    listeners: () => listening.size,
    async close() {
      for (const socket of connections) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function wordsOf(...words: readonly string[]): string {
  return [`*${words.length}`, ...words.flatMap((word) => [`$${word.length}`, word]), ''].join('\r\n');
}

function wordsIn(command: string): readonly string[] {
  return command.split('\r\n').filter((line) => !/^[*$]\d+$|^$/.test(line));
}
