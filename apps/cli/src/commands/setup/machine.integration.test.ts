import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
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

test('signalbox serve --inspect logs each step of each command, with its actions', async () => {
  const workspace = ownWorkspace();
  const argv = [MAIN, '-C', workspace, 'serve', '--port', '0', '--json', '--inspect'];
  const server = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(createInterface(server.stdout), 'line');
    const { signalbox } = createTestTerminal(workspace);
    expect(await signalbox('exec', '--', 'echo', 'hi')).toMatchObject({ exit: 0 });
    const steps = readFileSync(join(workspace, '.signalbox/log.jsonl'), 'utf8')
      .split('\n')
      .filter((text) => text.includes('"command step"'))
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(steps).toContainEqual(
      expect.objectContaining({
        event: 'start.allowed',
        from: 'queued.checking',
        state: 'running.working',
        actions: ['store', 'execute'],
      }),
    );
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
});
