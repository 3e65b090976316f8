import { expect, test, vi } from 'vitest';
import { modelReads, overHttp } from '../../testing/mcp-doors.ts';
import { openTestServer } from '../../testing/open-test-server.ts';
import { startRecordedModel, workspaceOf } from '../../testing/recorded-model.ts';
import { LOG_TASK, runRecordedSession } from './recorded-session.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FREE = { approval: { approval_mode: 'allow_all' } } as const;

test('a tool is offered once those that it requires have succeeded (S001-86, S001-87, S001-90, S001-92) (setting: tools.dependencies.enabled, tools.dependencies.rules)', async () => {
  const dependencies = { enabled: true, rules: { write_file: { requires: ['file.read'] } } };
  const write = { tool: 'write_file', args: { path: 'b.txt', content: 'second\n' } };
  const { offers, answersTo } = await runRecordedSession(
    { tools: { dependencies } },
    { turns: [write, { tool: 'read_file', args: { path: 'a.txt' } }, write] },
  );
  for (const turn of [0, 1]) {
    expect(offers[turn]).toContain('read_file');
    for (const hidden of ['write_file', 'edit_file']) expect(offers[turn]).not.toContain(hidden);
  }
  expect(answersTo(1).join('\n')).toContain(
    'Cannot call write_file yet: read_file must succeed first in this session',
  );
  expect(offers[2]).toEqual(expect.arrayContaining(['write_file', 'edit_file']));
  expect(answersTo(3).join('\n')).not.toContain('[tool_error]');
});

test('a cycle is noted, and a name that no tool has is an error (S001-88, X-21)', async () => {
  const cycle = { read_file: { requires: ['list_directory'] }, list_directory: { requires: ['read_file'] } };
  const { offers, workspace } = await runRecordedSession({
    tools: { dependencies: { enabled: true, rules: cycle } },
  });
  expect(offers[0]).toEqual(expect.arrayContaining(['read_file', 'list_directory']));
  const { signalbox } = createTestTerminal(workspace);
  expect((await signalbox('config', 'list')).talk).toContain('list_directory, read_file require each other');
  const misspelt = { write_file: { requires: ['raed_file'] } };
  const model = await startRecordedModel([]);
  const other = await workspaceOf(
    { local: model },
    { local: { tools: { dependencies: { enabled: true, rules: misspelt } } } },
  );
  const run = await createTestTerminal(other).signalbox('run', LOG_TASK, '--until', 'true');
  expect(run.talk).toMatch(/"raed_file", which is not a tool[^]*read_file/);
  expect(model.requests).toEqual([]);
});

test('an agent over MCP is offered a tool once those that it requires have succeeded, and is told before (S001-86)', async () => {
  const rules = { write_file: { requires: ['read_file'] } };
  await using own = await openTestServer({
    files: { 'a.txt': 'first\n' },
    settings: { ...FREE, tools: { dependencies: { enabled: true, rules } } },
  });
  const client = await overHttp(own, 'legacy');
  const isOffered = async (): Promise<boolean> =>
    (await client.listTools()).tools.some(({ name }) => name === 'signalbox_write_file');
  const write = { name: 'signalbox_write_file', arguments: { path: 'b.txt', content: 'x' } };
  expect(await isOffered()).toBe(false);
  expect(modelReads(await client.callTool(write)).text).toContain('Call signalbox_read_file first');
  await client.callTool({ name: 'signalbox_read_file', arguments: { path: 'a.txt' } });
  await vi.waitFor(async () => expect(await isOffered()).toBe(true), 20_000);
  expect(modelReads(await client.callTool(write)).first).toContain('completed');
  // People are not bound by it, and other sessions have their own calls.
  expect((await own.of.call('you', 'write_file', { path: 'c.txt', content: 'x' })).success).toBe(true);
  expect((await own.of.call('openai', 'write_file', { path: 'd.txt', content: 'x' })).failure?.code).toBe(
    'tool-not-ready',
  );
  await client.close();
});
