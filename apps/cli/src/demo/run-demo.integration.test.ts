import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryLogger } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { expect, onTestFinished, test } from 'vitest';
import { openHouse } from '../compose.ts';
import { REPAIRED } from './repairs.ts';
import { type DemoOptions, runDemo } from './run-demo.ts';

function theWorld(): DemoOptions {
  const parent = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return {
    openHouse,
    runTrusted: ([program, ...args]) => {
      const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
      return status === 0 ? stdout : null;
    },
    parent,
    env: { PATH: process.env['PATH'] },
    user: 'ana',
    clock: createSystemClock(),
    log: createMemoryLogger(),
    fast: true,
    signal: new AbortController().signal,
  };
}

test(
  'every scene of the demo happens, through the real wires and the real sandbox',
  { timeout: 60_000 },
  async () => {
    const report = await runDemo(theWorld());
    expect(report.scenes.filter(({ happened }) => !happened)).toEqual([]);
    expect(report.audit.problems).toEqual([]);
    expect(report.complete).toBe(true);
    expect(report.sessions.map(({ finish }) => finish)).toEqual(['finished', 'finished', 'finished']);
    expect(report.summary).toMatchObject({
      commands: 17,
      providers: 3,
      passed: 9,
      failed: 0,
      reads: 7,
      staleWrites: 1,
      blocked: 1,
      granted: 1,
    });
    expect(readFileSync(join(report.workspace, 'src/cart.ts'), 'utf8')).toBe(REPAIRED.cartBoth);
  },
);

test('a demo that is broken off ends soon, with what had happened', { timeout: 60_000 }, async () => {
  const stop = new AbortController();
  const report = await runDemo({
    ...theWorld(),
    signal: stop.signal,
    onOpen: ({ house }) => {
      house.events.subscribe((event) => {
        if (event.type === 'command_started') stop.abort();
      });
    },
  });
  expect(report.complete).toBe(false);
  expect(report.sessions.map(({ finish }) => finish)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});
