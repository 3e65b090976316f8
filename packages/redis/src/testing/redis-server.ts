import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Redis } from 'ioredis';

/** `SIGNALBOX_REDIS_SERVER`: program used instead of `redis-server`, such as the path of a `valkey-server`. */
export const REDIS_SERVER = process.env['SIGNALBOX_REDIS_SERVER'] ?? 'redis-server';

/** A test's own Redis server. */
export type RedisServer = {
  /** Path of its socket, as accepted by `openConnection`. */
  readonly url: string;
  readonly folder: string;
  /** Kills it, like a power cut of its machine. */
  kill(): Promise<void>;
  /** Suspends it; `thaw` resumes it. */
  freeze(): void;
  thaw(): void;
  /** Sends a command as administrator: `CONFIG`, `SET`, `maxmemory`, `1`. */
  call(command: string, ...more: readonly string[]): Promise<unknown>;
  /** Starts it again on the same files. */
  restart(): Promise<void>;
  /** Stops it and removes its files. */
  close(): Promise<void>;
};

/** A free port of this machine, for the few servers that others must reach by address. */
export async function freePort(): Promise<number> {
  // A cluster node also uses the port 10,000 above.
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
 * Starts {@link REDIS_SERVER} on a unix socket in its own folder, without persistence by default.
 *
 * @param settings further command-line options: `['--appendonly', 'yes']`
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
        // The last line printed before it serves, on a socket and on a port.
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
