import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { createTestWorkspace } from '../testing/open-test-house.ts';
import { openTestServer } from '../testing/open-test-server.ts';

const MAIN = join(import.meta.dirname, '../main.ts');

type Agent = Readonly<{ call(line: string): Promise<unknown>; pid: number; leave(): Promise<void> }>;

async function startAgent(workspace: string, provider: string): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, '-C', workspace, 'mcp', '--provider', provider],
    stderr: 'ignore',
  });
  const client = new Client({ name: provider, version: '1.0.0' });
  await client.connect(transport);
  return {
    call: (line) => client.callTool({ name: 'signalbox_bash', arguments: { line } }),
    pid: transport.pid ?? 0,
    leave: () => client.close(),
  };
}

const said = (text: string): object => ({
  content: [{ type: 'text', text: `exit code: 0\nstdout:\n${text}` }],
});

test('agents that are started for one workspace work there together, also when the first of them dies', async () => {
  const workspace = createTestWorkspace();
  const first = await startAgent(workspace, 'claude-code');
  const second = await startAgent(workspace, 'codex');
  try {
    expect(await first.call('echo first')).toMatchObject(said('first'));
    expect(await second.call('echo second')).toMatchObject(said('second'));
    process.kill(first.pid, 'SIGKILL');
    expect(await second.call('echo alone')).toMatchObject(said('alone'));
  } finally {
    await second.leave();
    await first.leave();
    rmSync(workspace, { recursive: true, force: true });
  }
}, 30_000);

test('an agent that goes away leaves no call behind: what it waited for is cancelled', async () => {
  await using own = await openTestServer({ settings: { approval: { prompt_on_warning: true } } });
  const agent = await startAgent(own.of.workspace, 'codex');
  const answer = agent.call('touch x').catch(() => undefined);
  const asked = await own.of.event('approval_requested');
  await agent.leave();
  await answer;
  await own.of.ended(asked.commandId);
  expect(await own.of.house.coordinator.status(asked.commandId)).toMatchObject({
    result: { outcome: { kind: 'cancelled' } },
  });
}, 30_000);
