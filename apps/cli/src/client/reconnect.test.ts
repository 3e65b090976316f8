import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type UnavailableCode, UnavailableError } from '@signalbox/core';
import { createManualClock } from '@signalbox/core/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { removeRecord, writeRecord } from '../runtime/server/coordinator-record.ts';
import { LOG_FILE } from './log-of-coordinator.ts';
import { reconnect } from './reconnect.ts';

const NEXT = { url: 'http://localhost', token: '', pid: 2, socket: '/nowhere/coordinator.sock' };
const RECORD = {
  nonce: 'first',
  pid: 1,
  process: null,
  version: '0.1.0',
  startedAt: 0,
};

function stoppingOne(code: UnavailableCode = 'stopping') {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-again-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const run = join(directory, '.signalbox/run');
  mkdirSync(run, { recursive: true, mode: 0o700 });
  writeRecord(directory, { ...RECORD, socket: join(run, 'coordinator.sock') });
  const clock = createManualClock();
  const tries = Promise.withResolvers<void>();
  let isBack = false;
  const connect = vi.fn<() => Promise<typeof NEXT>>(async () => {
    tries.resolve();
    if (isBack) return NEXT;
    throw new UnavailableError(code, 'Cannot work: it stops');
  });
  const connected = reconnect(connect, { directory, clock });
  return { directory, run, clock, connect, connected, tried: tries.promise, comeBack: () => (isBack = true) };
}

test('a client reconnects as soon as the record changes, without any delay', async () => {
  const { directory, connect, connected, tried, comeBack } = stoppingOne();
  await tried;
  comeBack();
  removeRecord(directory, RECORD.nonce);
  expect(await connected).toBe(NEXT);
  expect(connect).toHaveBeenCalledTimes(2);
});

test('writing to a coordinator’s log does not make a client retry', async () => {
  const { directory, run, connect, connected, tried, comeBack } = stoppingOne();
  await tried;
  for (let line = 0; line < 50; line++) appendFileSync(join(run, LOG_FILE), 'busy\n');
  // Changes are reported in order: when this one arrives, the earlier ones have.
  comeBack();
  removeRecord(directory, RECORD.nonce);
  await connected;
  expect(connect).toHaveBeenCalledTimes(2);
});

test('without changes a client polls four times a second, for 30 s', async () => {
  const { clock, connect, connected, tried } = stoppingOne('workspace-held');
  await tried;
  const ended = connected.catch((error: unknown) => error);
  await clock.advance(30_000);
  expect(await ended).toMatchObject({ code: 'workspace-held' });
  expect(connect.mock.calls.length).toBeLessThanOrEqual(121);
});

test('an error that does not mean a lost coordinator is reported at once', async () => {
  const { connect, connected } = stoppingOne('state-unsafe');
  await expect(connected).rejects.toMatchObject({ code: 'state-unsafe' });
  expect(connect).toHaveBeenCalledTimes(1);
});
