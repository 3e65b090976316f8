import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import { createInterrupts } from '../../runtime/contract/interrupts.ts';
import type { Key } from '../../terminal/keyboard.ts';
import { clientAt } from '../../client/client-at.ts';
import { TEST_STATE } from '../../testing/open-test-runtime.ts';
import { configHomeOf, writeOwnSettings } from '../../testing/own-settings.ts';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { createSystemClock } from '@signalbox/embedded';

const ASKS = { tool: 'bash', args: { line: 'rm -rf a.txt' } };
const SLEEPS = { tool: 'bash', args: { line: 'sleep 600' } };

/** A terminal with a screen and single keys; each of `keys` is pressed as soon as its text was drawn. */
function screenWith(workspace: string, keys: readonly (readonly [drawn: string, key: Key])[]) {
  const left = [...keys];
  let press: (key: Key) => void = () => undefined;
  const interrupts = createInterrupts({ on: () => undefined }, () => undefined);
  return createTestTerminal(workspace, {
    interrupts,
    onAsked(listener) {
      press = listener;
    },
    onDraw(bytes) {
      const [next] = left;
      if (next === undefined || !bytes.includes(next[0])) return;
      left.shift();
      // Not while a frame is drawn.
      setImmediate(() => press(next[1]));
    },
  });
}

const text = (letter: string): Key => ({ kind: 'text', text: letter });
const CTRL_C: Key = { kind: 'named', name: 'ctrl-c' };

test('two runs work in one workspace at once, and each shows its own (U-B4)', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [ASKS]), scriptOf('anthropic', [write('b.txt')]));
  const asked = Promise.withResolvers<string>();
  const first = createTestTerminal(workspace, { onTalk: asked.resolve });
  const running = first.signalbox('run', 'Finish', '-p', 'openai', '--until', 'true');
  const how = /signalbox deny (\w{4}) --expect ([0-9a-f]{8})/.exec(await asked.promise);
  const argv = ['run', 'Finish', '-p', 'anthropic', '--until', 'test -e b.txt'];
  const second = await createTestTerminal(workspace).signalbox(...argv);
  expect(second.exit).toBe(0);
  expect(second.talk).not.toContain('openai');
  await first.signalbox('deny', how?.[1] ?? '', '--expect', how?.[2] ?? '', '-m', 'keep it');
  const ended = await running;
  expect(ended.exit).toBe(0);
  expect(ended.talk).not.toContain('anthropic');
});

test('d detaches from a run; attach shows it from its beginning, and can stop it', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [SLEEPS]));
  const left = await screenWith(workspace, [['sleep 600', text('d')]]).signalbox(
    'run',
    'Finish',
    '-p',
    'openai',
  );
  expect(left.exit).toBe(0);
  const [, id] =
    /Detached: the run continues. Return to it with signalbox attach (\w{4})/.exec(left.talk) ?? [];
  const status = await createTestTerminal(workspace).signalbox('status');
  expect(status.out).toContain(`signalbox attach ${id}`);
  const back = await screenWith(workspace, [
    ['sleep 600', CTRL_C],
    ['Stop the run?', text('s')],
    ['stopping; Ctrl-C again', CTRL_C],
  ]).signalbox('attach', id ?? '');
  expect(back.exit).toBe(130);
  expect(back.talk).toContain('Stopping every process now');
  const again = await createTestTerminal(workspace).signalbox('attach', '--json');
  const rows = again.out
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as { type?: string; event?: string });
  expect(rows.map(({ type, event }) => type ?? event)).toEqual(
    expect.arrayContaining([
      'session_started',
      'command_cancelled',
      'session_ended',
      'run_ended',
      'run.ended',
    ]),
  );
});

test('without a terminal the first SIGTERM stops the run', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [SLEEPS]));
  const raised: Record<string, () => void> = {};
  const interrupts = createInterrupts({ on: (signal, raise) => (raised[signal] = raise) }, () => undefined);
  const terminal = createTestTerminal(workspace, {
    interrupts,
    onSay(said) {
      if (said.includes('session started')) {
        raised['SIGTERM']?.();
        raised['SIGTERM']?.();
      }
    },
  });
  const { exit, talk } = await terminal.signalbox('run', 'Finish', '-p', 'openai', '--until', 'touch tested');
  expect(exit).toBe(143);
  expect(talk).toContain('Stopping: no new calls');
  expect(existsSync(join(workspace, 'tested'))).toBe(false);
});

test('SIGTERM detaches a terminal with a screen: its run goes on', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [SLEEPS]));
  let raise: () => void = () => undefined;
  const interrupts = createInterrupts(
    { on: (signal, raised) => (signal === 'SIGTERM' ? (raise = raised) : undefined) },
    () => undefined,
  );
  const terminal = createTestTerminal(workspace, {
    interrupts,
    onAsked: () => undefined,
    onDraw(bytes) {
      if (bytes.includes('sleep 600')) raise();
    },
  });
  const { exit, talk } = await terminal.signalbox('run', 'Finish', '-p', 'openai', '--until', 'true');
  expect(exit).toBe(143);
  expect(talk).toMatch(/Detached: the run continues. Return to it with signalbox attach \w+/);
  const found = await findCoordinator({ directory: workspace, clock: createSystemClock() }, 'look');
  if (found === null) throw new Error('its coordinator has ended');
  expect((await clientAt(found.access).listRuns()).runs).toMatchObject([{ state: 'running' }]);
}, 60_000);

test('a run asks for more turns at any attached terminal, and continues with them', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')], [write('b.txt')]));
  let press: (key: Key) => void = () => undefined;
  let isAsked = false;
  const terminal = createTestTerminal(workspace, {
    onAsked(listener) {
      press = listener;
    },
    onDraw(bytes) {
      // Keys typed too soon are ignored.
      isAsked ||= bytes.includes('10 more?');
      if (isAsked) setImmediate(() => press(text('y')));
    },
  });
  const argv = ['run', 'Finish', '-p', 'openai', '--turns', '1', '--until', 'test -e b.txt'];
  const { exit, talk } = await terminal.signalbox(...argv);
  expect(talk).toContain('10 more?');
  expect(exit).toBe(0);
});

test('a run whose check fails says so, continues, and names each check in its summary (S003-91)', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')], [], [write('b.txt')]));
  const line = 'test -e b.txt || { echo b is missing; exit 3; }';
  const argv = ['run', 'Finish', '-p', 'openai', '--until', line, '--rounds', '4'];
  const { exit, talk } = await createTestTerminal(workspace).signalbox(...argv);
  expect(exit).toBe(0);
  expect(talk).toContain('at most 4 checks');
  expect(talk).toContain('failed (exit 3): the sessions continue');
  expect(talk).toMatch(/✓ test -e b\.txt .* passed after \d+:\d\d, 2 checks/);
  expect(talk).toMatch(/check 1 {2}.*failed \(exit 3\)[\s\S]*check 2 {2}.*passed/);
});

test('an unknown run, and an ambiguous one, are reported in words', async () => {
  const workspace = await workspaceFor(scriptOf('openai', []));
  const terminal = createTestTerminal(workspace);
  expect(await terminal.signalbox('attach')).toMatchObject({
    exit: 6,
    talk: expect.stringContaining('Cannot attach to a run'),
  });
  await terminal.signalbox('run', 'Finish', '-p', 'openai', '--until', 'true');
  expect(await terminal.signalbox('attach', 'nope')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('there is no run "nope"'),
  });
});

test('a key missing from the environment is reported before anything starts', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [ASKS]));
  const written = readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8');
  await writeOwnSettings(workspace, {
    text: written.replace('api_key_env: null', 'api_key_env: SCRIPTED_KEY'),
  });
  const { exit, talk } = await createTestTerminal(workspace).signalbox('run', 'Finish', '-p', 'openai');
  expect(exit).toBe(6);
  expect(talk).toContain('SCRIPTED_KEY is not set');
  expect(await findCoordinator({ directory: workspace, clock: createSystemClock() }, 'look')).toBeNull();
});

/** A run in its own terminal and with its own coordinator, once it has printed that text. */
async function runAsProgram(workspace: string, said: string, more: Readonly<Record<string, string>> = {}) {
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    XDG_CONFIG_HOME: configHomeOf(workspace),
    XDG_STATE_HOME: TEST_STATE,
    ...more,
  };
  const argv = [MAIN, '-C', workspace, 'run', 'Finish', '-p', 'openai', '--until', 'true'];
  const client = spawn(process.execPath, argv, { env, cwd: workspace, stdio: ['ignore', 'ignore', 'pipe'] });
  const talk = { text: '' };
  const heard = Promise.withResolvers<void>();
  client.stderr.setEncoding('utf8').on('data', (part: string) => {
    talk.text += part;
    if (talk.text.includes(said)) heard.resolve();
  });
  client.once('exit', () => heard.reject(new Error(`The run ended: ${talk.text}`)));
  await heard.promise;
  const where = { directory: workspace, clock: createSystemClock() };
  const found = await findCoordinator(where, 'look');
  if (found === null) throw new Error(`No coordinator: ${talk.text}`);
  const { access } = found;
  return { client, talk, access, pid: access.pid };
}

test('kill -9 of a client leaves its run going, with its API key, which is in no file and no environment', async () => {
  const key = 'zk-live-7d1e90ab44c2f385';
  const workspace = await workspaceFor(scriptOf('openai', [ASKS]));
  const written = readFileSync(join(workspace, '.signalbox/local.yaml'), 'utf8');
  await writeOwnSettings(workspace, {
    text: written.replace('api_key_env: null', 'api_key_env: SCRIPTED_KEY'),
  });
  const { client, access, pid } = await runAsProgram(workspace, 'signalbox deny', { SCRIPTED_KEY: key });
  client.kill('SIGKILL');
  await once(client, 'exit');
  const listed = await clientAt(access).listRuns();
  expect(listed.runs.map(({ state }) => state)).toEqual(['running']);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(key);
  const terminal = createTestTerminal(workspace, {
    onTalk(said) {
      const how = /signalbox deny (\w{4}) --expect ([0-9a-f]{8})/.exec(said);
      if (how !== null)
        void terminal.signalbox('deny', how[1] ?? '', '--expect', how[2] ?? '', '-m', 'keep it');
    },
  });
  const back = await terminal.signalbox('attach');
  expect(back.talk).toContain('keep it');
  expect(back.exit).toBe(0);
  const state = join(workspace, '.signalbox');
  // The preview of a call comes and goes; `grep` passes over what is gone.
  const found = spawnSync('grep', ['-rlsF', key, state], { encoding: 'utf8' });
  expect([found.error, found.stdout]).toEqual([undefined, '']);
});

test('a client whose coordinator is killed starts the next one, and its run goes on with the open approval', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [ASKS]));
  const { client, talk, pid } = await runAsProgram(workspace, 'signalbox deny');
  process.kill(pid, 'SIGKILL');
  const ended = once(client, 'close');
  await expect.poll(() => talk.text, { timeout: 60_000 }).toContain('continued after a restart');
  const how = /signalbox deny (\w{4}) --expect ([0-9a-f]{8})/.exec(talk.text);
  const argv = ['deny', how?.[1] ?? '', '--expect', how?.[2] ?? '', '-m', 'keep it'];
  expect(await createTestTerminal(workspace).signalbox(...argv)).toMatchObject({ exit: 0 });
  expect(await ended).toEqual([0, null]);
});
