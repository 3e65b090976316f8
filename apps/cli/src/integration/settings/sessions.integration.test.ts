import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../../testing/agent.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
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
  await using own = await openTestRuntime({ settings: { ...FREE, tools: { repeated_calls } } });
  const seen: (readonly [string, boolean])[] = [];
  for (let time = 1; time <= 4; time++) {
    const { outcome, notes = [] } = await own.call('openai', 'bash', { line: 'touch x' });
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

test('lines start in the folder of the settings, and the tests are found there (S001-16, S003-41) (setting: sandbox.working_dir)', async () => {
  const files = { 'web/package.json': '{ "scripts": { "test": "pwd" } }', 'web/src/a.ts': 'a\n' };
  await using own = await openTestRuntime({ settings: { ...FREE, sandbox: { working_dir: 'web' } }, files });
  const line = async (args: object) => (await own.call('openai', 'bash', { ...args })).stdout.trim();
  expect(await line({ line: 'pwd; cat src/a.ts' })).toBe(`${own.workspace}/web\na`);
  expect(await line({ line: 'pwd', cwd: 'web/src' })).toBe(`${own.workspace}/web/src`);
  expect((await own.call('openai', 'run_tests', {})).stdout).toContain(`${own.workspace}/web`);
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

test('a coordinator counts for metrics only if the settings say so (S003-61) (setting: monitoring.enable_metrics)', async () => {
  const answers: string[] = [];
  for (const enable_metrics of [true, false]) {
    await using server = await openTestServer({ settings: { monitoring: { enable_metrics } } });
    const { status, text } = await server.ask('GET', '/metrics');
    answers.push(`${status} ${text}`);
  }
  expect(answers).toEqual([
    expect.stringMatching(/^200 [\s\S]*signalbox_/),
    expect.stringMatching(/^404 .*metrics-off/),
  ]);
});

test('an agent reads so much of an answer that is an error (setting: mcp.max_error_chars)', async () => {
  const seen: boolean[] = [];
  for (const mcp of [{}, { max_error_chars: 3000 }]) {
    const workspace = ownWorkspace({ 'signalbox.yaml': '{}\n' });
    await writeOwnSettings(workspace, { text: JSON.stringify({ ...FREE, mcp }) });
    const agent = await startAgent(workspace, 'codex');
    seen.push((await agent.bash('seq 1 1500; exit 9')).includes('left out here'));
    await agent.leave();
  }
  expect(seen).toEqual([false, true]);
});

test('the history is kept within its size (setting: execution.history_max_mb)', async () => {
  const kept: number[] = [];
  for (const history_max_mb of [2048, 0]) {
    const workspace = ownWorkspace();
    const execution = { execution_history_limit: 1, history_max_mb };
    await writeOwnSettings(workspace, { text: JSON.stringify({ execution }) });
    const terminal = createTestTerminal(workspace);
    for (const line of ['echo a', 'echo b', 'echo c']) await terminal.signalbox('exec', '--', line);
    // The history is trimmed at a start.
    for (let starts = 0; starts < 2; starts++) {
      await terminal.stopCoordinator();
      await terminal.signalbox('exec', '--', 'echo more');
    }
    kept.push((await terminal.signalbox('history', '--json')).out.trim().split('\n').length);
  }
  expect(kept[0]).toBe(5);
  expect(kept[1]).toBeLessThan(5);
});

test('a line in conflict is run again as often as the settings say (setting: tools.shell.max_reruns)', async () => {
  const line =
    'name=$RANDOM$RANDOM; echo "begun $name."; until ls signals | grep -qx $name; do sleep 0.02; done; echo mine > c0';
  const runs: number[] = [];
  for (const max_reruns of [1, 2]) {
    const settings = { ...FREE, tools: { shell: { max_reruns } } };
    const files = { c0: '0\n', 'signals/begin': '', 'slow.sh': line };
    await using own = await openTestRuntime({ settings, files });
    const begun: string[] = [];
    const stop = own.runtime.events.subscribe((event) => {
      const name = /begun (\d+)\./.exec(JSON.stringify(event))?.[1];
      if (event.type !== 'command_output' || name === undefined) return;
      begun.push(name);
      writeFileSync(join(own.workspace, 'c0'), `${name}\n`);
      writeFileSync(join(own.workspace, 'signals', name), '');
    });
    const { outcome } = await own.call('openai', 'bash', { line: 'bash slow.sh' });
    stop();
    expect(outcome.kind).toBe('conflict');
    runs.push(begun.length);
  }
  expect(runs).toEqual([2, 3]);
});
