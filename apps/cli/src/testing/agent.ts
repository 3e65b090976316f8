import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { inject } from 'vitest';
import { configHomeOf } from './own-settings.ts';

/** The program as users run it: built, once before all tests. */
export const MAIN = inject('program');

/** The environment of a program started by a test: no settings of the user who runs the tests. */
export function programEnv(workspace: string): Record<string, string> {
  const home = configHomeOf(workspace);
  return { ...getDefaultEnvironment(), XDG_CONFIG_HOME: home, XDG_STATE_HOME: `${home}/state` };
}

/** Longer than any test: an agent whose client gives up after the SDK's 60 s cancels its call. */
const PATIENCE_MS = 600_000;

export type McpTestAgent = Readonly<{
  /** Calls one of our tools; returns all blocks that its model reads. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  /** The same for a shell line. */
  bash(line: string): Promise<string>;
  /** Of its `signalbox mcp`. */
  pid: number;
  leave(): Promise<void>;
}>;

/** A coding agent with its own `signalbox mcp`, as `signalbox connect` sets it up. */
export async function startAgent(
  workspace: string,
  provider: string,
  env: Readonly<Record<string, string>> = {},
): Promise<McpTestAgent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, '-C', workspace, 'mcp', '--provider', provider],
    env: { ...programEnv(workspace), ...env },
    stderr: 'ignore',
  });
  const client = new Client({ name: provider, version: '1.0.0' });
  await client.connect(transport);
  async function call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const asked = { name: `signalbox_${tool}`, arguments: args };
    const { content } = await client.callTool(asked, { timeout: PATIENCE_MS });
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  }
  return {
    call,
    bash: (line) => call('bash', { line }),
    pid: transport.pid ?? 0,
    leave: () => client.close(),
  };
}
