import { randomBytes } from 'node:crypto';
import { createId } from '@signalbox/core';
import { startWorkCounter } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../testing/open-test-runtime.ts';

const SETTINGS = {
  approval: { approval_mode: 'allow_all' },
  execution: { max_queue_size: 10_000, max_wait: '1h' },
};
/** Holds the file, whoever waits for it. */
const HOLD = 'echo a > a.txt; sleep 1000';

async function untilQueued(own: TestRuntime, line: string): Promise<string> {
  const { commandId } = own.submit('openai', 'bash', { args: { line } });
  await own.event('command_queued', (event) => event.commandId === commandId);
  return commandId;
}

test('a restart is work in proportion to the commands that wait', async () => {
  await using counter = await startWorkCounter();
  const work: number[] = [];
  for (const waiting of [100, 400]) {
    const first = await openTestRuntime({ settings: SETTINGS });
    const { workspace } = first;
    const running = first.submit('openai', 'bash', { args: { line: HOLD } });
    await first.event('command_started', ({ commandId }) => commandId === running.commandId);
    await untilQueued(first, HOLD);
    const id = await untilQueued(first, 'echo b > a.txt');
    const record = (await first.runtime.store.unfinished()).find((one) => one.id === id);
    if (record === undefined) throw new Error('no command waits');
    for (let n = 0; n < waiting; n++)
      await first.runtime.store.commit({ ...record, id: createId('command', randomBytes), revision: 1 }, []);
    await first.leave();
    const settled = Promise.withResolvers<TestRuntime>();
    work.push(
      await counter.count(async () => {
        const own = await openTestRuntime({ workspace, settings: SETTINGS });
        settled.resolve(own);
        await own.event('coordinator_started', ({ recovered }) => recovered > waiting);
      }),
    );
    await (await settled.promise)[Symbol.asyncDispose]();
  }
  const [few = 0, many = 0] = work;
  // Some 270 steps for each command, and 14,000 for the start itself.
  expect(few).toBeGreaterThan(10_000);
  expect(many / few).toBeLessThan(5);
});
