import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const ONE_PLACE = {
  approval: { approval_mode: 'allow_all' },
  execution: { max_concurrent_executions: 1 },
} as const;

test('queue raise lets a waiting command run first, and the events say who raised it (S003-74)', async () => {
  await using own = await openTestServer({ settings: ONE_PLACE });
  const { signalbox } = createTestTerminal(own.of.workspace);
  const running = own.of.submit('openai', 'bash', { args: { line: 'sleep 60' } });
  await own.of.event('command_started', ({ commandId }) => commandId === running.commandId);
  const started: string[] = [];
  own.of.runtime.events.subscribe((event) => {
    if (event.type === 'command_started') started.push(event.commandId);
  });
  const [first, second] = [1, 2].map((n) =>
    own.of.submit('anthropic', 'bash', { args: { line: `true ${n}` } }),
  );
  await Promise.all([first?.resting, second?.resting]);
  const reported = await signalbox('queue', 'raise', second?.commandId ?? '');
  expect(reported).toMatchObject({ exit: 0, out: expect.stringContaining('true 2: priority 0') });
  const { commandId } = await own.of.event('command_prioritized');
  expect(commandId).toBe(second?.commandId);
  expect(await signalbox('queue', 'raise', running.commandId)).toMatchObject({
    exit: 5,
    out: expect.stringContaining('is not in the queue'),
  });
  await signalbox('cancel', running.commandId, '--now');
  await Promise.all([first?.result, second?.result]);
  const order = started.filter((id) => id === first?.commandId || id === second?.commandId);
  expect(order).toEqual([second?.commandId, first?.commandId]);
});

test('exec --priority is passed to the coordinator, and an invalid priority is rejected', async () => {
  await using own = await openTestServer({ settings: ONE_PLACE });
  const { signalbox } = createTestTerminal(own.of.workspace);
  expect(await signalbox('exec', '--priority', '3', '--', 'true')).toMatchObject({ exit: 0 });
  const [record] = await own.of.runtime.coordinator.list({});
  expect(record?.context.priority).toBe(3);
  expect(await signalbox('exec', '--priority', '1001', '--', 'true')).toMatchObject({ exit: 2 });
});
