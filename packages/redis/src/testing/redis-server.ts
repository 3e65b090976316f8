import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';

/** `SIGNALBOX_REDIS_SERVER`: another program than `redis-server`, such as the path of a `valkey-server`. */
export const REDIS_SERVER = process.env['SIGNALBOX_REDIS_SERVER'] ?? 'redis-server';

/** A Redis server of a test's own. */
export type RedisServer = {
  /** Path of its socket, as `openConnection` takes it. */
  readonly url: string;
  readonly folder: string;
  /** Ends it without a word, as a power cut of its machine would. */
  kill(): Promise<void>;
  /** Stops it from answering, and lets it go on. */
  freeze(): void;
  thaw(): void;
  /** Sends it a command as its administrator: `CONFIG`, `SET`, `maxmemory`, `1`. */
  call(command: string, ...more: readonly string[]): Promise<unknown>;
  /** Starts it again on the same files. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  close(): Promise<void>;
};

/** A port of this machine that nobody listens on, for the few servers that others must reach by address. */
export async function freePort(): Promise<number> {
  // A cluster's node takes one 10,000 above its own too.
  for (;;) {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    probe.close();
    await once(probe, 'close');
    if (address !== null && typeof address === 'object' && address.port < 50_000) return address.port;
  }
}

/**
 * Starts {@link REDIS_SERVER} on a unix socket in a folder of its own, with nothing written to disk unless asked.
 *
 * @param settings more of its command line: `['--appendonly', 'yes']`
 */
export async function startRedisServer(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-redis-'));
  const url = join(folder, 'redis.sock');
  const argv = [
    '--port',
    '0',
    '--bind',
    '127.0.0.1',
    '--unixsocket',
    url,
    '--dir',
    folder,
    '--save',
    '',
    '--daemonize',
    'no',
  ];
  let server = await start();

  async function start(): Promise<ChildProcess> {
    const child = spawn(REDIS_SERVER, [...argv, ...settings], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    const output = createInterface({ input: child.stdout });
    await new Promise<void>((resolve, reject) => {
      output.on('line', (line) => {
        lines.push(line);
        // Its last line before it serves, on a socket and on a port.
        if (/Ready to accept connections|now ready to accept/.test(line)) resolve();
      });
      child.on('error', reject);
      child.on('exit', () => reject(new Error(`${REDIS_SERVER} ended at its start:\n${lines.join('\n')}`)));
    });
    return child;
  }

  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  }

  return {
    url,
    folder,
    kill,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async call(command, ...more) {
      const admin = new Redis(url, { disableClientInfo: true });
      return admin.call(command, ...more).finally(() => admin.disconnect());
    },
    async restart() {
      await kill();
      server = await start();
    },
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
