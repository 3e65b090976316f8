import { expect, test } from 'vitest';
import { backgroundWorld, killed } from '../client/testing/background-world.ts';
import type { Key } from '../terminal/keyboard.ts';
import { createTestTerminal } from '../testing/test-context.ts';

test('messages of exec about a lost connection appear above its open prompt, which is drawn once', async () => {
  const world = backgroundWorld();
  const { pid } = await world.connect();
  let said = '';
  let drawn = '';
  let press: (key: Key) => void = () => undefined;
  const terminal = createTestTerminal(world.directory, {
    onAsked: (pressKey) => (press = pressKey),
    onSay: (text) => (said += text),
    onDraw: (bytes) => (drawn += bytes),
  });
  const ran = terminal.signalbox('exec', '--', 'rm -rf src');
  await expect.poll(() => drawn, { timeout: 60_000 }).toContain('[A]pprove');
  await killed(pid);
  await expect.poll(() => drawn, { timeout: 60_000 }).toContain('reconnected\r\n');
  expect(drawn).toContain('connection lost; retrying\r\n');
  expect(said).toBe('');
  press({ kind: 'text', text: 'd' });
  press({ kind: 'named', name: 'enter' });
  expect((await ran).talk).toContain('you denied');
});

test('exec says who approved its line in another terminal, then prints its output', async () => {
  const world = backgroundWorld();
  await world.connect();
  let drawn = '';
  const asking = createTestTerminal(world.directory, {
    onAsked: () => undefined,
    onDraw: (bytes) => (drawn += bytes),
  });
  const ran = asking.signalbox('exec', '--', 'rm -rf src; echo removed');
  await expect.poll(() => drawn, { timeout: 60_000 }).toContain('[A]pprove');
  const other = createTestTerminal(world.directory);
  const { approvals } = JSON.parse((await other.signalbox('status', '--json')).out) as {
    approvals: readonly { id: string; approval: { callHash: string } }[];
  };
  const [pending] = approvals;
  await other.signalbox('approve', pending?.id ?? '', '--expect', pending?.approval.callHash ?? '');
  expect(await ran).toMatchObject({ exit: 0, out: 'removed\n' });
  expect(drawn).toMatch(/✓ approved by \S+ \(cli\)/);
});
