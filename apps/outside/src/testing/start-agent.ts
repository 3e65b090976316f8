import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { User } from './open-user.ts';

/** Longer than any step: the SDK gives up after 60 s, and cancels the call. */
const PATIENCE_MS = 600_000;

export type OutsideAgent = Readonly<{
  tools: readonly string[];
  /** The text that its model reads. */
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  leave(): Promise<void>;
}>;

type McpSettings = Readonly<{
  mcpServers: { signalbox: { command: string; args: string[]; env?: Record<string, string> } };
}>;

/** An MCP client that starts what `.mcp.json` names, as Claude Code does in that folder. */
export async function startAgent(workspace: string, { env }: Pick<User, 'env'>): Promise<OutsideAgent> {
  const settings = JSON.parse(readFileSync(join(workspace, '.mcp.json'), 'utf8')) as McpSettings;
  const { command, args, env: more } = settings.mcpServers.signalbox;
  const transport = new StdioClientTransport({
    command,
    args,
    env: { ...env, ...more },
    cwd: workspace,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'claude-code', version: '2.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    tools: tools.map(({ name }) => name),
    async call(name, given) {
      const { content } = await client.callTool({ name, arguments: { ...given } }, { timeout: PATIENCE_MS });
      return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    },
    leave: () => client.close(),
  };
}
