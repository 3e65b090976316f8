import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnavailableError } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { expect, test, vi } from 'vitest';
import type { Context } from '../frame/context.ts';
import { joinServer } from './join-server.ts';
import { writeLocalAccess } from './local-access.ts';

/** A workspace that another process holds, and does not serve yet. */
function heldWorkspace() {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-join-'));
  const clock = createManualClock();
  const openHouse = vi.fn<Context['doors']['openHouse']>(() =>
    Promise.reject(
      new UnavailableError('workspace-held', 'Cannot coordinate the workspace: `signalbox mcp` holds it', {
        why: ['process 3831'],
        next: ['kill 3831'],
      }),
    ),
  );
  const context = {
    directory,
    clock,
    env: { XDG_CONFIG_HOME: directory },
    user: 'ana',
    doors: { openHouse },
  } as unknown as Context;
  return {
    directory,
    clock,
    joined: joinServer('mcp', context),
    triedTimes: (times: number) => vi.waitFor(() => expect(openHouse).toHaveBeenCalledTimes(times), 20_000),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

test('while the next leader starts, a door waits for it (A-B5)', async () => {
  using held = heldWorkspace();
  const access = held.joined.access();
  await held.triedTimes(1);
  await vi.waitFor(() => expect(held.clock.pendingTimers()).toBe(1), 20_000);
  await using server = createServer((_, response) => void response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeLocalAccess(held.directory, { url, token: 'token', pid: process.pid });
  await held.clock.advance(250);
  expect(await access).toMatchObject({ url });
  expect(held.clock.pendingTimers()).toBe(0);
});

test('one that serves nobody for 30 s is told of, and no process to end is named (A-B5)', async () => {
  using held = heldWorkspace();
  const access = held.joined.access().catch((error: unknown) => error);
  await vi.waitFor(() => expect(held.clock.pendingTimers()).toBe(1), 20_000);
  await held.clock.advance(29_999);
  await held.triedTimes(2);
  await vi.waitFor(() => expect(held.clock.pendingTimers()).toBe(1), 20_000);
  await held.clock.advance(250);
  expect(await access).toMatchObject({
    message: 'Cannot coordinate the workspace: `signalbox mcp` holds it, and it serves nobody',
    why: ['waited 30 s for it'],
    next: ['try again when it has ended'],
  });
});
