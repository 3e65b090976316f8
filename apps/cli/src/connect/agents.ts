import { homedir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@signalbox/core';

/** One file of an agent's settings, and what has to stand in it. */
export type AgentFile = Readonly<{
  /** Relative to the workspace, or absolute. */
  path: string;
  /** What it is for, few words. */
  purpose: string;
}> &
  (
    | Readonly<{ kind: 'json'; content: JsonObject }>
    /** Tables to append; refused where one of them stands already. */
    | Readonly<{ kind: 'toml'; content: string; tables: readonly string[] }>
  );

/** An agent that speaks MCP. */
export type Agent = Readonly<{
  id: string;
  name: string;
  files: readonly AgentFile[];
  /** What a person still has to do, or should know. */
  notes: readonly string[];
}>;

/** How an agent starts us. */
export type Starter = Readonly<{ command: string; args: readonly string[] }>;

export const AGENT_IDS = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'vscode'] as const;
export type AgentId = (typeof AGENT_IDS)[number];

/** Claude Code gives a call five minutes, however long it is silent. */
const CALL_MS = 300_000;
const KEEPS_ITS_TOOLS =
  'Its own tools cannot be switched off by a file: choose Signalbox’s alone in its list of tools, or what they do is not seen here';

/**
 * What switches an agent's own tools off and Signalbox's on. `npm run real-agents` tries it with the agents themselves;
 * those with a window, Cursor and VS Code, stand as their documentation has them as of November 2026.
 */
export function agentOf(id: AgentId, { command, args }: Starter): Agent {
  const argv = [command, ...args, 'mcp', '--provider', id];
  const stdio = { command, args: argv.slice(1) };
  switch (id) {
    case 'claude-code':
      return {
        id,
        name: 'Claude Code',
        files: [
          {
            kind: 'json',
            path: '.mcp.json',
            purpose: 'starts Signalbox',
            content: { mcpServers: { signalbox: { ...stdio, timeout: CALL_MS } } },
          },
          {
            kind: 'json',
            path: '.claude/settings.json',
            purpose: 'its own tools off, Signalbox’s on',
            content: {
              enabledMcpjsonServers: ['signalbox'],
              permissions: {
                allow: ['mcp__signalbox'],
                deny: [
                  'Bash',
                  'Edit',
                  'Write',
                  'NotebookEdit',
                  'Read',
                  'Glob',
                  'Grep',
                  'WebFetch',
                  'WebSearch',
                ],
              },
            },
          },
        ],
        notes: ['Start it here once and trust the folder: before that it leaves these settings out'],
      };
    case 'codex':
      return {
        id,
        name: 'Codex',
        files: [
          {
            kind: 'toml',
            path: join(homedir(), '.codex', 'config.toml'),
            purpose: 'starts Signalbox, its own shell off',
            tables: ['features', 'mcp_servers.signalbox'],
            content: [
              '[features]',
              'shell_tool = false',
              'unified_exec = false',
              '',
              '[mcp_servers.signalbox]',
              `command = ${JSON.stringify(command)}`,
              `args = ${JSON.stringify(argv.slice(1))}`,
              'default_tools_approval_mode = "approve"',
              // Its first turn would begin without our tools.
              'required = true',
              'startup_timeout_sec = 60',
              '',
            ].join('\n'),
          },
        ],
        notes: ['Start it with --sandbox read-only: then its own apply_patch is refused too'],
      };
    case 'gemini':
      return {
        id,
        name: 'Gemini CLI',
        files: [
          {
            kind: 'json',
            path: '.gemini/settings.json',
            purpose: 'starts Signalbox, its own tools off',
            content: {
              mcpServers: { signalbox: { ...stdio, trust: true, timeout: CALL_MS } },
              tools: { core: ['mcp_signalbox_*'] },
            },
          },
        ],
        notes: [],
      };
    case 'opencode':
      return {
        id,
        name: 'opencode',
        files: [
          {
            kind: 'json',
            path: 'opencode.json',
            purpose: 'starts Signalbox, its own tools off',
            content: {
              mcp: { signalbox: { type: 'local', command: argv, enabled: true } },
              tools: { '*': false, 'signalbox*': true },
              permission: { '*': 'deny', 'signalbox*': 'allow' },
            },
          },
        ],
        notes: [],
      };
    case 'cursor':
      return {
        id,
        name: 'Cursor',
        files: [
          {
            kind: 'json',
            path: '.cursor/mcp.json',
            purpose: 'starts Signalbox',
            content: { mcpServers: { signalbox: stdio } },
          },
        ],
        notes: [KEEPS_ITS_TOOLS],
      };
    case 'vscode':
      return {
        id,
        name: 'VS Code',
        files: [
          {
            kind: 'json',
            path: '.vscode/mcp.json',
            purpose: 'starts Signalbox',
            content: { servers: { signalbox: { type: 'stdio', ...stdio } } },
          },
        ],
        notes: [KEEPS_ITS_TOOLS],
      };
  }
}
