import { expect, test } from 'vitest';
import { backgroundWorld } from '../../client/testing/background-world.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('watch shows what exec runs, without serve', async () => {
  const terminal = createTestTerminal(ownWorkspace({ 'signalbox.yaml': '{}\n' }));
  expect((await terminal.signalbox('exec', '--', 'echo beside')).exit).toBe(0);
  const { exit, out } = await terminal.signalbox('watch', '--once');
  expect([exit, out]).toEqual([0, expect.stringContaining('echo beside')]);
});

test('watch follows the next coordinator after its own was killed', { timeout: 120_000 }, async () => {
  const world = backgroundWorld();
  const first = await world.connect();
  let next: Promise<unknown> | undefined;
  let line: Promise<unknown> | undefined;
  let interrupt: () => void = () => undefined;
  const worker = createTestTerminal(world.directory);
  const watcher = createTestTerminal(world.directory, {
    interrupts: {
      raise: () => undefined,
      listen(listener) {
        interrupt = () => listener(1, 'SIGINT');
        return () => undefined;
      },
    },
    onSay(text) {
      if (text.includes(' connected · ')) process.kill(first.pid, 'SIGKILL');
      else if (text.includes(' not connected: ')) next ??= world.connect();
      else if (text.includes(' back · ')) line ??= worker.signalbox('exec', '--', 'echo again');
    },
    onPrint(text) {
      if (text.includes(' completed ')) interrupt();
    },
  });
  const { exit, out, talk } = await watcher.signalbox('watch');
  await Promise.all([next, line]);
  expect(exit).toBe(0);
  const whys = talk.split('\n').flatMap((row) => row.split('not connected: ').slice(1));
  expect(whys[0]).toBe('the connection was lost');
  expect(whys).toEqual([...new Set(whys)]);
  expect(out).toContain('bash echo again');
});
