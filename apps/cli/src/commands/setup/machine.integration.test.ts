import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { MAIN, programEnv } from '../../testing/agent.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('signalbox status ID --machine prints the path that a command walked', async () => {
  await using own = await openTestRuntime();
  const ended = own.submit('openai', 'bash', { line: 'echo ended' });
  await ended.result;
  const { signalbox } = createTestTerminal(own.workspace);
  const { out } = await signalbox('status', ended.commandId, '--machine');
  expect(out.split('\n').map((text) => text.replace(/^ *[\d.]+ s +(\S+) +→ +/, '$1 '))).toEqual([
    'call.classified classified',
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
  expect(await signalbox('status', '--machine')).toMatchObject({
    exit: 2,
    talk: expect.stringContaining('--machine needs an ID'),
  });
});

test('signalbox serve --inspect logs each step of each command and session, and nothing of what was said', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const argv = [MAIN, '-C', workspace, 'serve', '--port', '0', '--json', '--inspect'];
  const env = programEnv(workspace);
  const server = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(createInterface(server.stdout), 'line');
    const { signalbox } = createTestTerminal(workspace);
    const run = ['run', 'Finish it tonight', '-p', 'openai', '--until', 'test -e a.txt'];
    expect(await signalbox(...run)).toMatchObject({ exit: 0 });
    const log = readFileSync(join(workspace, '.signalbox/log.jsonl'), 'utf8');
    const steps = log
      .split('\n')
      .filter((text) => text.includes(' step"'))
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(steps).toContainEqual(
      expect.objectContaining({
        msg: 'command step',
        event: 'start.allowed',
        from: 'queued.checking',
        state: 'running.working',
        actions: ['store', 'execute'],
      }),
    );
    const ofSession = steps.filter(({ msg }) => msg === 'session step');
    expect(ofSession.map(({ from, state }) => [from, state])).toEqual([
      [null, 'preparing'],
      ['preparing', 'thinking'],
      ['thinking', 'calling'],
      ['calling', 'thinking'],
      ['thinking', 'closing'],
      ['closing', 'done'],
    ]);
    expect(ofSession[1]).toMatchObject({ sessionId: expect.stringMatching(/^ses_/), provider: 'openai' });
    expect(JSON.stringify(steps)).not.toContain('tonight');
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
});
