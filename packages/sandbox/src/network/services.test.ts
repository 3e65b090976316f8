import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Execution } from '@signalbox/core';
import { createHarness, type SandboxHarness } from '../testing/sandbox-harness.ts';
import { toAttempts } from './connection-attempts.ts';

const RUN_ONE = inject('runOne');
const USER = ['--reuid=65534', '--regid=65534', '--clear-groups'];

describe.each(['off', 'where-possible'] as const)(
  'a service of this machine (transactions %s)',
  (transactions) => {
    let harness: SandboxHarness;
    let service: Server;
    let port: number;
    beforeEach(async () => {
      harness = createHarness({ transactions });
      service = createServer((socket) => void socket.end('hello from the service\n')).listen(0, '127.0.0.1');
      await once(service, 'listening');
      ({ port } = service.address() as AddressInfo);
    });
    afterEach(async () => {
      service.close();
      await harness.close();
    });

    const knock = (at: number | string): string => `timeout 5 cat </dev/tcp/127.0.0.1/${at}`;

    /** Runs as an ordinary user; null unless we are root. */
    async function asUser(line: string, request: object): Promise<Execution | null> {
      if (spawnSync('/usr/bin/setpriv', [...USER, 'test', '-r', RUN_ONE]).status !== 0) return null;
      spawnSync('chown', ['-R', '65534:65534', harness.folder]);
      const argv = [...USER, process.execPath, RUN_ONE, harness.optionsJson, line, JSON.stringify(request)];
      return JSON.parse((await promisify(execFile)('/usr/bin/setpriv', argv)).stdout) as Execution;
    }

    test('is reachable at its port by a command that was granted it, and nothing else is (S003-92)', async () => {
      const network = { hosts: [], services: [`localhost:${port}`] };
      const line = `${knock(port)}; ${knock(1)}; cat </dev/tcp/1.1.1.1/53`;
      const done = await harness.run(line, { network });
      expect(done.stdout.text).toBe('hello from the service\n');
      expect(done.stderr.text).toMatch(/Connection refused[^]*Network is unreachable/);
      expect(done.network).toMatchObject([
        { target: `localhost:${port}`, outcome: 'reached', receivedBytes: 23 },
      ]);
      const none = await harness.run(knock(port));
      expect(none.stdout.text).toBe('');
      const other = await harness.run(knock(port), { network: { hosts: [], services: ['127.0.0.1:1'] } });
      expect(other.stdout.text).toBe('');
    });

    test('is reachable, with connections counted, as an ordinary user too', async ({ skip }) => {
      const network = { hosts: [], services: [`localhost:${port}`] };
      const done = await asUser(knock(port), { network });
      if (done === null) return skip('needs root');
      expect(done.stdout.text).toBe('hello from the service\n');
      const failed = await asUser(knock(port), {});
      expect(failed?.connectionAttempts).toEqual({ loopback: 1, away: 0 });
    });

    test('that is down is reported by its port', async () => {
      service.close();
      const done = await harness.run(knock(port), {
        network: { hosts: [], services: [`127.0.0.1:${port}`] },
      });
      expect(done.network).toMatchObject([
        {
          target: `127.0.0.1:${port}`,
          outcome: 'failed',
          why: `"127.0.0.1:${port}" cannot be reached: ECONNREFUSED`,
        },
      ]);
    });

    test('a failed command without network reports its connection attempts, whatever it printed', async () => {
      const line = `{ ${knock(port)}; ${knock(port)}; cat </dev/tcp/1.1.1.1/53; } 2>/dev/null; exit 3`;
      const counted = { loopback: 2, away: 1 };
      expect((await harness.run(line)).connectionAttempts).toEqual(counted);
    });

    test('a command that does not try, reaches its own server, or succeeds reports no attempts', async () => {
      const own = `node -e "const s = require('net').createServer((c) => c.end()).listen(4545, '127.0.0.1', () => require('net').connect(4545, '127.0.0.1').on('close', () => process.exit(1)).resume())"`;
      for (const line of ['echo "connection refused" >&2; exit 1', own, `${knock(port)} 2>/dev/null; true`])
        expect([line, (await harness.run(line)).connectionAttempts]).toEqual([line, undefined]);
    });

    test('a timed-out command reports its attempts too', async () => {
      const limits = { timeoutMs: 2000, cpuPercent: 100, processes: 256, fileBytes: 1e9, openFiles: 1024 };
      const done = await harness.run(`${knock(port)}; sleep 60`, { limits });
      expect(done.ended.kind).toBe('timed_out');
      expect(done.connectionAttempts).toEqual({ loopback: 1, away: 0 });
    });
  },
);

test('missing kernel counters count as 0', () => {
  expect(toAttempts('Tcp: ActiveOpens AttemptFails\nTcp: 5 2\n', 'Ip6OutNoRoutes \t3\n')).toEqual({
    loopback: 2,
    away: 3,
  });
  expect(toAttempts('', '')).toEqual({ loopback: 0, away: 0 });
});
