import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { startRedisServer } from '@signalbox/redis/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createInterrupts } from '../../runtime/contract/interrupts.ts';
import { MAIN } from '../../testing/agent.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { REPAIRED } from './repairs.ts';

type Options = Readonly<{
  flags?: readonly string[];
  world?: NonNullable<Parameters<typeof createTestTerminal>[1]>;
  /** In a concurrent test: its own `onTestFinished`. */
  atEnd?: (remove: () => void | Promise<void>) => void;
}>;

/** A running demo, its folder, and its result. */
function play({ flags = [], world = {}, atEnd = onTestFinished }: Options) {
  const opened = Promise.withResolvers<string>();
  atEnd(async () => rmSync(dirname(await opened.promise), { recursive: true, force: true }));
  const terminal = createTestTerminal(tmpdir(), {
    ...world,
    onSay(text) {
      const [, workspace] = /^ {2}(\/.*\/shop)$/m.exec(text) ?? [];
      if (workspace !== undefined) opened.resolve(workspace);
      world.onSay?.(text);
    },
  });
  return { workspace: opened.promise, ended: terminal.signalbox('demo', '--fast', ...flags) };
}

const jsonOf = (out: string): readonly unknown[] =>
  out
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row) as unknown);

test.concurrent('every scene of the demo happens, over the real protocols and with the real sandbox, also next to an old Node.js (S000-96, S002-46, S003-85, O1)', async ({
  onTestFinished: atEnd,
}) => {
  const old = mkdtempSync(join(tmpdir(), 'signalbox-old-node-'));
  atEnd(() => rmSync(old, { recursive: true }));
  writeFileSync(join(old, 'node'), '#!/bin/sh\necho "node: bad option" >&2; exit 9\n', { mode: 0o755 });
  const env = { ...process.env, PATH: `${old}:${process.env['PATH'] ?? ''}` };
  const { workspace, ended } = play({ flags: ['--json'], world: { env }, atEnd });
  const { exit, out } = await ended;
  const reported = jsonOf(out);
  expect(exit).toBe(0);
  expect(reported.at(-1)).toMatchObject({
    event: 'run.ended',
    summary: {
      complete: true,
      commands: 18,
      passed: 9,
      failed: 0,
      reads: 7,
      staleWrites: 1,
      blocked: 1,
      granted: 1,
      saved: { calls: 1 },
    },
  });
  const ofType = (type: string) => reported.filter((one) => (one as { type?: string }).type === type);
  const finished = { finish: 'finished' };
  expect(ofType('session_ended')).toMatchObject([finished, finished, finished]);
  const approved = { by: { name: 'scripted person', channel: 'api' } };
  expect(ofType('command_approved')).toContainEqual(expect.objectContaining(approved));
  expect(readFileSync(join(await workspace, 'src/cart.ts'), 'utf8')).toBe(REPAIRED.cartBoth);
});

test.concurrent('on Redis every scene happens too', async ({ onTestFinished: atEnd }) => {
  const server = await startRedisServer(['--appendonly', 'yes']);
  atEnd(() => server.close());
  const { exit, out } = await play({ flags: ['--redis', server.url], atEnd }).ended;
  expect([exit, out]).toEqual([0, expect.stringContaining('audit log consistent')]);
});

/** Presses Ctrl-C once these words were printed. */
function brokenOffAt(words: string, env = {}) {
  const interrupts = createInterrupts({ on: () => undefined }, () => undefined);
  const onSay = (text: string): void => {
    if (text.includes(words)) interrupts.raise();
  };
  return play({ world: { env, interrupts, onSay } }).ended;
}

test('a Redis named in the environment is left alone', async () => {
  const { exit, talk } = await brokenOffAt('/shop', { SIGNALBOX_REDIS_URL: 'redis://127.0.0.1:1' });
  expect([exit, talk]).toEqual([130, expect.stringContaining('Stopping')]);
});

test('an interrupted demo ends soon, and so do its sessions', async () => {
  const { exit, talk } = await brokenOffAt('says ');
  expect(exit).toBe(130);
  expect(talk.match(/session stopped/g)).toHaveLength(3);
});

test('the settings in the demo’s folder are followed while it runs, and a broken file is not used (C10)', async () => {
  const reported: string[] = [];
  let receive: (() => void) | undefined;
  const interrupts = createInterrupts({ on: () => undefined }, () => undefined);
  const onSay = (text: string): void => {
    if (!/policy changed|settings not used/.test(text)) return;
    reported.push(text);
    receive?.();
  };
  const { workspace, ended } = play({ world: { interrupts, onSay } });
  const shop = await workspace;
  const rewrite = async (text: string): Promise<void> => {
    const heard = new Promise<void>((resolve) => (receive = resolve));
    appendFileSync(join(shop, 'signalbox.yaml'), text);
    await heard;
  };
  await rewrite('rules:\n  - id: no-node\n    deny: { program: node }\n');
  expect(await createTestTerminal(shop).signalbox('exec', '--', 'node --version')).toMatchObject({
    exit: 125,
    talk: expect.stringContaining('no-node'),
  });
  await rewrite('    denny: x\n');
  interrupts.raise();
  await ended;
  expect(reported).toEqual([
    expect.stringContaining('policy changed'),
    expect.stringMatching(/settings not used: .*unknown key "denny" \(signalbox\.yaml:\d+:5\)/),
  ]);
});

test('while a demo runs, status, watch, attach and stop reach it in its folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const demo = spawn(process.execPath, [MAIN, 'demo'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void demo.kill('SIGKILL'));
  const exited = once(demo, 'exit');
  let shop = '';
  for await (const row of createInterface(demo.stderr)) {
    shop ||= /^ {2}(\/.*\/shop)$/.exec(row)?.[1] ?? '';
    if (row.includes('session started')) break;
  }
  demo.stderr.resume();
  const attached = createTestTerminal(shop, { onAsked: () => undefined }).signalbox('attach');
  const { signalbox } = createTestTerminal(shop);
  const status = await signalbox('status');
  expect(status.out).toContain(`coordinator: process ${demo.pid}`);
  expect((await signalbox('watch', '--once')).out).toContain('deepseek');
  expect((await signalbox('stop')).exit).toBe(0);
  expect(await exited).toEqual([0, null]);
  expect(await attached).toMatchObject({
    exit: 0,
    talk: expect.stringMatching(/scripted person approved[\s\S]*All changes stay/),
  });
});
