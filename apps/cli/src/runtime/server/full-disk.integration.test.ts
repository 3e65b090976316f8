import { expect, test, vi } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { serveOnSmallDisk } from '../../testing/serve-on-small-disk.ts';

/** Creates the program's own state folder before the test puts anything in its way. */
const LOG_NEVER_WRITTEN = `mkdir -m 700 .signalbox && "${process.execPath}" "${MAIN}" status >&2 && mkdir .signalbox/log.jsonl`;

test('commands end, release their files and are cancelled while the log cannot be written (F-B3)', async () => {
  await using disk = await serveOnSmallDisk('200m', LOG_NEVER_WRITTEN);
  expect((await disk.bash('echo a > c0')).body).toMatchObject({ status: 'completed' });
  expect((await disk.bash('echo b > c0')).body).toMatchObject({ status: 'completed' });
  const slow = await disk.bash('sleep 600; echo c > c0', { wait: false });
  const id = String(slow.body['id']);
  await vi.waitFor(async () =>
    expect((await disk.ask('GET', `/api/commands/${id}`)).body).toMatchObject({ status: 'running' }),
  );
  expect((await disk.ask('POST', `/api/commands/${id}/cancel`, { body: {} })).status).toBe(200);
  const ended = await disk.ask('GET', `/api/commands/${id}?wait=20000`);
  expect(ended.body).toMatchObject({ status: 'cancelled' });
  expect(disk.exitCode()).toBeNull();
});

test.for([0, 4096, 20_000, 60_000])(
  'with %i bytes left on the disk commands fail, the server stays up, and work continues when space is freed (F-B3)',
  async (leave) => {
    await using disk = await serveOnSmallDisk('100m');
    expect((await disk.bash('echo a > c0')).body).toMatchObject({ status: 'completed' });
    disk.fill(leave);
    for (let n = 0; n < 5; n++) {
      const { status, body } = await disk.bash(`echo ${n} > c${n}`);
      expect([status, body['status'] ?? body['code']]).not.toEqual([200, 'running']);
    }
    expect(disk.exitCode()).toBeNull();
    disk.empty();
    await vi.waitFor(
      async () =>
        expect((await disk.bash('n=$(cat c0); echo $((n+1)) > c9')).body).toMatchObject({
          status: 'completed',
        }),
      { timeout: 40_000, interval: 1000 },
    );
    expect(disk.exitCode()).toBeNull();
  },
);

test('low disk space sets DEGRADED, a denied line says why, and the mode ends with the shortage (F-B5)', async () => {
  await using disk = await serveOnSmallDisk('100m');
  const line = 'n=$(date); echo $n > c0';
  expect((await disk.bash(line)).body).toMatchObject({ status: 'completed' });
  const mode = async () => (await disk.ask('GET', '/api/mode')).body;
  disk.fill(30_000_000);
  await vi.waitFor(async () => expect(await mode()).toMatchObject({ mode: 'DEGRADED', by: 'signalbox' }), {
    timeout: 30_000,
    interval: 500,
  });
  const denied = JSON.stringify((await disk.bash(line)).body);
  expect(denied).toMatch(/in DEGRADED mode \(since \d\d:\d\d, set by signalbox: only \d+ MiB/);
  expect(denied).toContain('it ends by itself when the disk has free space again');
  expect(denied).not.toContain('shell_injection_detected');
  disk.empty();
  await vi.waitFor(async () => expect(await mode()).toMatchObject({ mode: 'NORMAL' }), {
    timeout: 30_000,
    interval: 500,
  });
  expect((await disk.bash(line)).body).toMatchObject({ status: 'completed' });
});
