import { ProviderId, type QueueEntry } from '@signalbox/core';
import { createMemoryLogger } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { expect, test } from 'vitest';
import { openRuntime } from './compose.ts';
import { loadSettings } from './settings/load-settings.ts';
import { openTestRuntime } from '../testing/open-test-runtime.ts';
import { configHomeOf } from '../testing/own-settings.ts';
import { scriptOf, workspaceFor, write } from '../testing/scripted-workspace.ts';

const WAITS = { line: 'sleep 600' };

test('the scheduler runs as many commands at once as the settings allow, and starts the next when one ends (F5) (setting: execution.max_concurrent_executions)', async () => {
  await using own = await openTestRuntime({ settings: { execution: { max_concurrent_executions: 2 } } });
  const [first, second, third] = ['openai', 'anthropic', 'deepseek'].map((provider) =>
    own.submit(provider, 'bash', { args: WAITS }),
  );
  for (const one of [first, second])
    await own.event('command_started', ({ commandId }) => commandId === one?.commandId);
  await own.event('command_queued', ({ commandId }) => commandId === third?.commandId);
  const { leases, waiting } = await own.runtime.coordinator.queue();
  expect([leases.length, waiting.length]).toEqual([2, 1]);
  if (first !== undefined)
    await own.runtime.coordinator.cancel(first.commandId, { by: 'ana', reason: 'enough' });
  await own.event('command_started', ({ commandId }) => commandId === third?.commandId);
});

test('a command that waits longer than the settings allow is cancelled (F6, S003-75) (setting: execution.max_wait)', async () => {
  await using own = await openTestRuntime({
    settings: { execution: { max_concurrent_executions: 1, max_wait: '1s' } },
  });
  const running = own.submit('openai', 'bash', { args: WAITS });
  await own.event('command_started', ({ commandId }) => commandId === running.commandId);
  const { outcome } = await own.call('anthropic', 'bash', WAITS);
  expect(outcome.kind).toBe('cancelled');
});

test('a provider’s priority reaches the queue (F6, S003-74)', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const { settings } = await loadSettings({
    directory: workspace,
    env: { XDG_CONFIG_HOME: configHomeOf(workspace) },
  });
  const { openai } = settings.providers;
  if (openai === undefined) throw new Error('no openai');
  const entries: QueueEntry[] = [];
  const clock = createSystemClock();
  const runtime = await openRuntime({
    workspace,
    settings: { ...settings, providers: { openai: { ...openai, priority: 7 } } },
    unconfined: false,
    user: 'ana',
    subcommand: 'test',
    apiKeys: {},
    log: createMemoryLogger(),
    clock,
    through: (scheduler) => ({
      ...scheduler,
      enqueue(entry) {
        entries.push(entry);
        return scheduler.enqueue(entry);
      },
    }),
  });
  const assignments = [{ provider: ProviderId.parse('openai'), task: 'Finish' }];
  await (
    await runtime.runs.start({ assignments, until: null, by: 'ana' })
  ).ended;
  await runtime.close();
  expect(entries.map(({ priority }) => priority)).toEqual([7]);
});
