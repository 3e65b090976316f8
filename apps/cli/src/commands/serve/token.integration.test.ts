import { expect, test } from 'vitest';
import { backgroundWorld } from '../../client/testing/background-world.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('the first token of a fresh workspace is created before anything has run there', async () => {
  const { directory } = backgroundWorld();
  const { signalbox } = createTestTerminal(directory);
  expect(await signalbox('token', 'list')).toMatchObject({
    exit: 6,
    talk: expect.stringContaining('nothing has run here yet'),
  });
  const made = await signalbox('token', 'create', '--role', 'provider', '--provider', 'codex');
  expect(made).toMatchObject({ exit: 0, out: expect.stringMatching(/^sbx_[\w-]+\n$/) });
  expect((await signalbox('token', 'list')).out).toContain('codex');
});
