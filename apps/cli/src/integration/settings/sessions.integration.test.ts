import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { createTestTerminal } from '../../testing/test-context.ts';
import { callOf, chatTurn, startModel, workspaceWith } from './model-server.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

test('a task ends after so many turns (setting: agents.tool_execution.max_iterations)', async () => {
  const look = chatTurn(callOf('list_directory', {}));
  const model = await startModel([look, look, look, look]);
  const agents = { tool_execution: { max_iterations: 2 } };
  const workspace = await workspaceWith({ base_url: model.url }, { agents });
  await createTestTerminal(workspace).signalbox('run', 'Look', '-p', 'gate', '--until', 'true');
  expect(model.requests).toHaveLength(2);
});

test('a session makes so many calls, and a further one is told why it is denied (setting: tools.max_tool_calls_per_session)', async () => {
  await using own = await openTestRuntime({ settings: { tools: { max_tool_calls_per_session: 2 } } });
  const answers: string[] = [];
  for (const text of ['a', 'b', 'c']) answers.push((await own.call('openai', 'echo', { text })).content);
  expect(answers).toEqual([
    'a',
    'b',
    expect.stringContaining('The quota of this session is used up: 2 calls'),
  ]);
});

test('a repeated call gets a note, and then is denied (setting: tools.repeated_calls.point_out, tools.repeated_calls.refuse)', async () => {
  const repeated_calls = { point_out: 2, refuse: 4 };
  await using own = await openTestRuntime({
    settings: { tools: { repeated_calls } },
    files: { 'a.txt': 'a' },
  });
  const seen: (readonly [string, boolean])[] = [];
  for (let n = 0; n < 4; n++) {
    const { outcome, notes = [] } = await own.call('openai', 'read_file', { path: 'a.txt' });
    seen.push([outcome.kind, notes.length > 0]);
  }
  expect(seen).toEqual([
    ['completed', false],
    ['completed', true],
    ['completed', true],
    ['denied', expect.any(Boolean)],
  ]);
});

test('a provider whose queue is full is told so (setting: execution.max_queue_size)', async () => {
  const execution = { max_concurrent_executions: 1, max_queue_size: 1 };
  await using own = await openTestRuntime({ settings: { ...FREE, execution } });
  const line = 'until ls | grep -qx go; do sleep 0.05; done';
  const running = own.submit('openai', 'bash', { args: { line } });
  await own.event('command_started', ({ commandId }) => commandId === running.commandId);
  const waiting = own.submit('openai', 'bash', { args: { line: 'echo a' } });
  await own.event('command_queued', ({ commandId }) => commandId === waiting.commandId);
  const third = await own.call('openai', 'bash', { line: 'echo b' });
  expect(third.failure?.code).toBe('queue-full');
  for (const { commandId } of [running, waiting])
    await own.runtime.coordinator.cancel(commandId, { by: 'ana', reason: 'seen' });
});

test('the provider with the lower number is served first (setting: providers.*.priority)', async () => {
  const providers = { anthropic: { priority: 1 } };
  await using own = await openTestServer({
    settings: { ...FREE, execution: { max_concurrent_executions: 1 }, providers },
  });
  const ask = async (provider: string, line: string) => {
    const { body } = await own.ask<{ id: string }>('POST', '/api/commands', {
      body: { tool: 'bash', args: { line }, provider },
    });
    return body.id;
  };
  const first = await ask('openai', 'until ls | grep -qx go; do sleep 0.05; done');
  const later = await ask('openai', 'echo later');
  const sooner = await ask('anthropic', 'echo sooner');
  const { body } = await own.ask<{ waiting: readonly { id: string }[] }>('GET', '/api/queue');
  expect(body.waiting.map(({ id }) => id)).toEqual([sooner, later]);
  for (const id of [first, sooner, later])
    await own.ask('POST', `/api/commands/${id}/cancel`, { body: { reason: 'seen' } });
});

test('the time that a call without its own may take (setting: tools.*.timeout)', async () => {
  await using own = await openTestRuntime({ settings: { ...FREE, tools: { bash: { timeout: '300ms' } } } });
  const { outcome, content } = await own.call('openai', 'bash', { line: 'sleep 60' });
  expect([outcome.kind, content]).toEqual(['timed_out', expect.stringContaining('tools.bash.timeout')]);
});

test('a tool whose category is stricter needs approval where such tools do (setting: tools.*.category)', async () => {
  const asking = { approval: { prompt_on_warning: true } };
  const seen: string[] = [];
  for (const tools of [{}, { list_directory: { category: 'execute' } }]) {
    await using own = await openTestRuntime({ settings: { ...asking, tools } });
    const sent = own.submit('openai', 'list_directory', { args: {} });
    seen.push(await sent.resting);
    await own.runtime.coordinator.cancel(sent.commandId, { by: 'ana', reason: 'seen' });
  }
  expect(seen.map((one) => one === 'pending')).toEqual([false, true]);
});

test('a question that nobody answers in time is denied, or stays (setting: approval.expiry, approval.on_expiry)', async () => {
  const approval = { prompt_on_warning: true, expiry: 300 };
  await using strict = await openTestRuntime({ settings: { approval: { ...approval, on_expiry: 'deny' } } });
  expect((await strict.call('openai', 'bash', { line: 'touch x' })).outcome.kind).toBe('denied');
  await using own = await openTestRuntime({ settings: { approval } });
  const sent = own.submit('openai', 'bash', { args: { line: 'touch x' } });
  await own.event('approval_overdue', ({ commandId }) => commandId === sent.commandId);
  const { out } = await createTestTerminal(own.workspace).signalbox('approvals');
  expect(out).toContain('touch x');
  await own.runtime.coordinator.cancel(sent.commandId, { by: 'ana', reason: 'seen' });
});

test('commands are logged only if the settings say so (setting: monitoring.log_all_commands)', async () => {
  const lines: number[] = [];
  for (const log_all_commands of [true, false]) {
    await using own = await openTestRuntime({ settings: { monitoring: { log_all_commands } } });
    await own.call('openai', 'echo', { text: 'a' });
    lines.push(own.logger.lines.filter((line) => JSON.stringify(line).includes('cmd_')).length);
  }
  expect([lines[0] === 0, lines[1]]).toEqual([false, 0]);
});
