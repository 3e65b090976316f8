import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

test('commands and watch find a waiting command by the word on each screen, and by the API’s', async () => {
  await using own = await openTestServer({ settings: { execution: { max_concurrent_executions: 1 } } });
  const { signalbox } = createTestTerminal(own.of.workspace);
  const runs = own.of.submit('openai', 'bash', { args: { line: 'sleep 60' } });
  await own.of.event('command_started', ({ commandId }) => commandId === runs.commandId);
  const waits = own.of.submit('anthropic', 'bash', { args: { line: 'sleep 61' } });
  expect(await waits.resting).toBe('queued');
  for (const word of ['waiting', 'queued']) {
    const { out: commands } = await signalbox('commands', '-f', `state:${word}`);
    expect([word, commands]).toEqual([word, expect.stringMatching(/waiting .* sleep 61/)]);
    expect(commands).not.toContain('sleep 60');
    const { out: lanes } = await signalbox('watch', '--once', '-f', `state:${word}`);
    expect([word, lanes]).toEqual([word, expect.stringContaining('sleep 61')]);
    expect(lanes).not.toContain('sleep 60');
  }
  for (const { commandId } of [waits, runs])
    await own.of.runtime.coordinator.cancel(commandId, { by: 'ana' });
});
