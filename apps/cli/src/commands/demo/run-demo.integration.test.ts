import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProviderId, SessionId } from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openRuntime } from '../../runtime/compose.ts';
import { REPAIRED } from './repairs.ts';
import { type DemoOptions, runDemo } from './run-demo.ts';
import { SCRIPTS } from './scripts.ts';
import { screenText } from '../../testing/screen-text.ts';

/** @param atEnd Of a test that runs beside others: its own `onTestFinished`. */
function theWorld(atEnd: (remove: () => void) => void = onTestFinished): DemoOptions {
  const parent = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  atEnd(() => rmSync(parent, { recursive: true, force: true }));
  return {
    openRuntime,
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

test.concurrent('every scene of the demo happens, through the real wires and the real sandbox', async ({
  onTestFinished: atEnd,
}) => {
  const report = await runDemo(theWorld(atEnd));
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
});

test.concurrent('on Redis every scene happens too', async ({ onTestFinished: atEnd }) => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  atEnd(() => server.close());
  const report = await runDemo({ ...theWorld(atEnd), redis: { url: server.url, volatile: false } });
  expect(report.scenes.filter(({ happened }) => !happened)).toEqual([]);
  expect([report.complete, report.audit.problems]).toEqual([true, []]);
});

test('a Redis that the environment names is left alone', async () => {
  const stop = new AbortController();
  const world = {
    ...theWorld(),
    env: { PATH: process.env['PATH'], SIGNALBOX_REDIS_URL: 'redis://127.0.0.1:1' },
  };
  const onOpen = (): void => stop.abort();
  expect((await runDemo({ ...world, signal: stop.signal, onOpen })).sessions).toHaveLength(3);
});

test('a demo that is broken off ends soon, with what had happened', async () => {
  const stop = new AbortController();
  const report = await runDemo({
    ...theWorld(),
    signal: stop.signal,
    onOpen: ({ runtime }) => {
      runtime.events.subscribe((event) => {
        if (event.type === 'command_started') stop.abort();
      });
    },
  });
  expect(report.complete).toBe(false);
  expect(report.sessions.map(({ finish }) => finish)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('the settings in the demo’s folder are followed while it plays, and a broken file is not used (C10)', async () => {
  const stop = new AbortController();
  const told: string[] = [];
  let hear: (() => void) | undefined;
  await runDemo({
    ...theWorld(),
    signal: stop.signal,
    onSettings(lines) {
      told.push(screenText(lines, Infinity));
      hear?.();
    },
    async onOpen({ workspace, runtime }) {
      const rewrite = async (text: string): Promise<void> => {
        const heard = new Promise<void>((resolve) => (hear = resolve));
        appendFileSync(join(workspace, 'signalbox.yaml'), text);
        await heard;
      };
      await rewrite('rules:\n  - id: no-node\n    deny: { program: node }\n');
      const { provider } = SCRIPTS[0] ?? { provider: '' };
      const ask = { provider: ProviderId.parse(provider), sessionId: SessionId.parse('ses_abcdefghjkmn') };
      const call = { callId: 'c', tool: 'bash', args: { line: 'node --version' } };
      expect((await runtime.coordinator.submit(call, ask).result).outcome).toMatchObject({ kind: 'denied' });
      await rewrite('    denny: x\n');
      stop.abort();
    },
  });
  expect(told[0]).toContain('policy changed');
  expect(told[1]).toMatch(/settings not used: .*no key "denny" \(signalbox\.yaml:\d+:5\)/);
});
