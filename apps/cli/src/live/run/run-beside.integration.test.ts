import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN } from '../../testing/agent.ts';
import { TEST_STATE } from '../../testing/open-test-runtime.ts';
import { configHomeOf } from '../../testing/own-settings.ts';
import { scriptOf, workspaceFor, write } from '../../testing/scripted-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

function envOf(workspace: string): Record<string, string> {
  return {
    ...getDefaultEnvironment(),
    XDG_CONFIG_HOME: configHomeOf(workspace),
    XDG_STATE_HOME: TEST_STATE,
  };
}

const RUN = ['run', 'Finish', '-p', 'openai', '--until', 'test -e a.txt'];

test('a run works next to a server of the same workspace, which outlives it (U-B4)', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const argv = [MAIN, '-C', workspace, 'serve', '--port', '0'];
  const server = spawn(process.execPath, argv, {
    env: envOf(workspace),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void server.kill('SIGTERM'));
  server.stderr.setEncoding('utf8');
  let talk = '';
  for await (const part of server.stderr) {
    talk += String(part);
    if (talk.includes('served at ')) break;
  }
  const [, url] = /served at (http:\S+)/.exec(talk) ?? [];
  expect(await createTestTerminal(workspace).signalbox(...RUN)).toMatchObject({
    exit: 0,
    talk: expect.stringContaining(`dashboard: ${url} · signalbox dashboard prints a sign-in link`),
  });
  expect(existsSync(join(workspace, 'a.txt'))).toBe(true);
  expect((await fetch(`${url}/health`)).ok).toBe(true);
});

test('a run works next to an agent over MCP, and neither ends with the other (U-B4)', async () => {
  const workspace = await workspaceFor(scriptOf('openai', [write('a.txt')]));
  const agent = new Client({ name: 'codex', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, '-C', workspace, 'mcp', '--provider', 'codex'],
    env: envOf(workspace),
    stderr: 'ignore',
  });
  await agent.connect(transport);
  const call = (line: string) => agent.callTool({ name: 'signalbox_bash', arguments: { line } });
  expect(await call('echo first')).toMatchObject({ content: [{ text: expect.stringContaining('first') }] });
  const ran = await createTestTerminal(workspace).signalbox(...RUN);
  expect(ran).toMatchObject({ exit: 0 });
  expect(ran.talk).not.toContain('codex');
  expect(await call('echo second')).toMatchObject({ content: [{ text: expect.stringContaining('second') }] });
  await agent.close();
});
