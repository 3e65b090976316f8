import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { MAIN, programEnv } from '../../testing/agent.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('signalbox status ID --machine prints the path of a command through its machine', async () => {
  await using own = await openTestRuntime();
  const ended = own.submit('openai', 'bash', { args: { line: 'echo ended' } });
  await ended.result;
  const { signalbox } = createTestTerminal(own.workspace);
  const { out } = await signalbox('status', ended.commandId, '--machine');
  expect(out.split('\n').map((text) => text.replace(/^ *[\d.]+ s +(\S+) +→ +/, '$1 '))).toEqual([
    'call.classified classified.ruling',
    'ruling.allowed approved.entering',
    'queue.answered queued.checking',
    'start.allowed running.working',
    'process.ended running.settling',
    'execution.ended ending',
    'audit.written done',
    '',
  ]);
  const { command } = JSON.parse((await signalbox('--json', 'status', ended.commandId)).out) as {
    command: { path: readonly { event: string }[] };
  };
  expect(command.path.map(({ event }) => event)).toContain('start.allowed');
});

test('signalbox status --machine prints the coordinator with its actors and their states', async () => {
  await using own = await openTestRuntime();
  await own.call('openai', 'bash', { line: 'echo ended' });
  const asked = own.submit('openai', 'bash', { args: { line: 'rm -rf src' } });
  await asked.resting;
  const { signalbox } = createTestTerminal(own.workspace);
  const { out, exit } = await signalbox('status', '--machine');
  const rows = out.split('\n').map((row) => row.trimEnd().split(/ {2,}/).filter(Boolean).slice(0, 2));
  expect(exit).toBe(0);
  expect(rows).toEqual([
    ['coordinator', 'leading'],
    ['mode', 'NORMAL'],
    ['approvals', '1 pending'],
    ['commands', '1 awaiting_approval'],
    [asked.commandId, 'awaiting_approval'],
    ['sessions', 'none'],
    ['nodes', 'only this one'],
    ['settings'],
    ['files', 'read'],
    ['mcp_servers', 'read'],
    [],
  ]);
  const { actors } = JSON.parse((await signalbox('--json', 'status', '--machine')).out) as {
    actors: { commands: object; coordinator: object };
  };
  expect(actors).toMatchObject({
    coordinator: { state: 'leading' },
    mode: { mode: 'NORMAL', watched: true },
    commands: { states: { awaiting_approval: 1 }, first: [{ id: asked.commandId }] },
    faults: [],
  });
});

test('signalbox status --machine without a coordinator says so', async () => {
  const { signalbox } = createTestTerminal(ownWorkspace());
  expect(await signalbox('status', '--machine')).toMatchObject({
    exit: 6,
    talk: expect.stringContaining('nothing runs'),
  });
});

test('signalbox serve --inspect logs each step of each actor, of commands with their actions', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const argv = [MAIN, '-C', workspace, 'serve', '--port', '0', '--json', '--inspect'];
  const env = programEnv(workspace);
  const server = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(createInterface(server.stdout), 'line');
    const { signalbox } = createTestTerminal(workspace);
    const run = ['run', 'Finish it tonight', '-p', 'openai', '--until', 'test -e a.txt'];
    expect(await signalbox(...run)).toMatchObject({ exit: 0 });
    expect(await signalbox('mode', 'DEGRADED', '-m', 'to see it')).toMatchObject({ exit: 0 });
    const steps = (): Record<string, unknown>[] =>
      readFileSync(join(workspace, '.signalbox/log.jsonl'), 'utf8')
        .split('\n')
        .filter((text) => text.includes(' step"'))
        .map((text) => JSON.parse(text) as Record<string, unknown>);
    await expect
      .poll(() => steps().map(({ actor, event, from, state }) => [actor, event, from, state].join(' ')))
      .toEqual(
        expect.arrayContaining([
          'coordinator xstate.init none open.recovering.taking',
          'coordinator recovery.ended open.recovering.taking open.leading',
          'mode mode.set NORMAL DEGRADED',
        ]),
      );
    expect(steps()).toContainEqual(
      expect.objectContaining({
        msg: 'command step',
        event: 'start.allowed',
        from: 'queued.checking',
        state: 'running.working',
        actions: ['store', 'execute'],
      }),
    );
    const ofSession = steps().filter(({ actor }) => String(actor).startsWith('ses_'));
    expect(ofSession.map(({ from, state }) => [from, state])).toEqual([
      ['none', 'preparing'],
      ['preparing', 'thinking'],
      ['thinking', 'calling'],
      ['calling', 'thinking'],
      ['thinking', 'resting'],
      ['resting', 'closing'],
      ['closing', 'done'],
    ]);
    expect(JSON.stringify(steps())).not.toContain('tonight');
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
});
