import type { JsonObject } from '@signalbox/core';
import type { TomlTable } from './changed-toml.ts';

/** One settings file of an agent, and its required content. */
export type AgentFile = Readonly<{
  /** Relative to the workspace. */
  path: string;
  /** Its purpose, in few words. */
  purpose: string;
}> &
  (
    | Readonly<{ kind: 'json'; content: JsonObject }>
    | Readonly<{ kind: 'toml'; content: readonly TomlTable[] }>
    /** The whole file. */
    | Readonly<{ kind: 'text'; content: string }>
  );

/** An agent that speaks MCP. */
export type Agent = Readonly<{
  id: string;
  name: string;
  files: readonly AgentFile[];
  /** What the user still has to do or should know. */
  notes: readonly string[];
}>;

/** How an agent connects to Signalbox: by starting a program, or to a server's address. */
export type AgentTransport =
  | Readonly<{ kind: 'stdio'; command: string; args: readonly string[] }>
  | Readonly<{ kind: 'http'; url: string }>;

export type AgentOptions = Readonly<{
  /** Whether it keeps its own tools next to ours. Default false. */
  keepsTools?: boolean;
  /** In the user's own files, if the agent has such. Default false. */
  isLocal?: boolean;
}>;

/**
 * Environment variable with an agent's access token, which is in no file. Not `SIGNALBOX_TOKEN`: that may be an
 * operator's.
 */
export const AGENT_TOKEN = 'SIGNALBOX_AGENT_TOKEN';

export const AGENT_IDS = ['claude-code', 'codex', 'gemini', 'opencode', 'cursor', 'vscode'] as const;
export type AgentId = (typeof AGENT_IDS)[number];

/** Timeout of a call: an hour, more than an agent with progress ever waits. */
export const CALL_MS = 3_600_000;
/** Until our tools are listed, on a busy machine. */
const START_MS = 60_000;
/** Its own tools that touch files, run programs or leave the machine. */
const CLAUDE_CODE_TOOLS =
  'Bash PowerShell Monitor Edit Write NotebookEdit EnterWorktree Read Glob Grep LSP WebFetch WebSearch'.split(
    ' ',
  );
const CODEX_WITHOUT_TOOLS: readonly TomlTable[] = [
  // Its own approvals are turned off: they would go around Signalbox.
  { name: '', values: { sandbox_mode: 'read-only', approval_policy: 'never', web_search: 'disabled' } },
  { name: 'features', values: { shell_tool: false, unified_exec: false } },
];
const OPENCODE_WITHOUT_TOOLS = {
  tools: { '*': false, 'signalbox*': true },
  permission: { '*': 'deny', 'signalbox*': 'allow' },
};
const CODEX_PATCHES =
  'Its apply_patch can’t be turned off: its read-only sandbox rejects it, but it bypasses Signalbox if you start the agent with --yolo (--dangerously-bypass-approvals-and-sandbox) or another --sandbox';
const CLAUDE_CODE_BELOW =
  'Start it in this folder: in a subfolder it ignores the settings here and keeps its own tools';
const GEMINI_BELOW =
  'Start it in this folder: in a subfolder it ignores these settings, keeps its own tools and does not find Signalbox';
const TRUST = 'Start it here once and trust the folder: until then it ignores these settings';

/**
 * Settings that turn an agent's own tools off and Signalbox's on. `npm run real-agents` tries them with the agents
 * themselves; those with a window, Cursor and VS Code, follow their documentation as of November 2026.
 */
export function agentOf(
  id: AgentId,
  transport: AgentTransport,
  { keepsTools = false, isLocal = false }: AgentOptions = {},
): Agent {
  const isHttp = transport.kind === 'http';
  const starts = isHttp ? 'connects to the Signalbox server' : 'starts Signalbox';
  const server = serverEntry(id, transport);
  switch (id) {
    case 'claude-code':
      return {
        id,
        name: 'Claude Code',
        files: [
          {
            kind: 'json',
            path: '.mcp.json',
            purpose: starts,
            // Its first turn would begin without our tools, or only with their names.
            content: { mcpServers: { signalbox: { ...server, timeout: CALL_MS, alwaysLoad: true } } },
          },
          {
            kind: 'json',
            path: isLocal ? '.claude/settings.local.json' : '.claude/settings.json',
            purpose: keepsTools ? 'Signalbox’s tools on' : 'its own tools off, Signalbox’s on',
            content: {
              enabledMcpjsonServers: ['signalbox'],
              env: { MCP_TIMEOUT: `${START_MS}`, MCP_CONNECT_TIMEOUT_MS: `${START_MS}` },
              permissions: {
                allow: ['mcp__signalbox'],
                ...(keepsTools ? {} : { deny: CLAUDE_CODE_TOOLS }),
              },
            },
          },
        ],
        notes: [TRUST, ...(keepsTools ? [] : [CLAUDE_CODE_BELOW])],
      };
    case 'codex':
      return {
        id,
        name: 'Codex',
        files: [
          {
            kind: 'toml',
            path: '.codex/config.toml',
            purpose: keepsTools
              ? starts
              : `${starts}, its own shell and web search off, its own patches rejected`,
            content: [
              ...(keepsTools ? [] : CODEX_WITHOUT_TOOLS),
              {
                name: 'mcp_servers.signalbox',
                values: {
                  ...server,
                  default_tools_approval_mode: 'approve',
                  // Its first turn would begin without our tools.
                  required: true,
                  startup_timeout_sec: START_MS / 1000,
                  tool_timeout_sec: CALL_MS / 1000,
                },
              },
            ],
          },
        ],
        notes: [TRUST, ...(keepsTools ? [] : [CODEX_PATCHES])],
      };
    case 'gemini':
      return {
        id,
        name: 'Gemini CLI',
        files: [
          {
            kind: 'json',
            path: '.gemini/settings.json',
            purpose: keepsTools ? starts : `${starts}, its own tools off`,
            content: {
              mcpServers: { signalbox: { ...server, trust: true, timeout: CALL_MS } },
              ...(keepsTools ? {} : { tools: { core: ['mcp_signalbox_*'] } }),
            },
          },
        ],
        notes: [GEMINI_BELOW],
      };
    case 'opencode':
      return {
        id,
        name: 'opencode',
        files: [
          {
            kind: 'json',
            path: 'opencode.json',
            purpose: keepsTools ? starts : `${starts}, its own tools off`,
            content: {
              mcp: { signalbox: { ...server, enabled: true, timeout: START_MS } },
              ...(keepsTools ? {} : OPENCODE_WITHOUT_TOOLS),
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
            purpose: starts,
            content: { mcpServers: { signalbox: { ...server } } },
          },
          {
            kind: 'json',
            path: '.cursor/cli.json',
            purpose: keepsTools
              ? 'in the terminal, Signalbox’s tools on'
              : 'in the terminal, its own tools off and Signalbox’s on',
            content: {
              permissions: {
                allow: ['Mcp(signalbox:*)'],
                ...(keepsTools ? {} : { deny: ['Shell(*)', 'Read(**)', 'Write(**)', 'WebFetch(*)'] }),
              },
            },
          },
        ],
        notes: keepsTools
          ? []
          : [
              'No settings file can turn off the built-in tools of this app: select only Signalbox’s tools in its tool list. Calls to the others bypass Signalbox',
            ],
      };
    case 'vscode':
      return {
        id,
        name: 'VS Code',
        files: [
          {
            kind: 'json',
            path: '.vscode/mcp.json',
            purpose: starts,
            content: { servers: { signalbox: { ...server } }, ...(isHttp ? VSCODE_TOKEN : {}) },
          },
          ...(keepsTools ? [] : [VSCODE_AGENT_FILE]),
        ],
        notes: keepsTools
          ? []
          : ['Select the agent “Signalbox” in the chat: other agents keep tools that bypass Signalbox'],
      };
  }
}

/** Each agent's names for the two transports. */
function serverEntry(id: AgentId, transport: AgentTransport): JsonObject {
  if (transport.kind === 'stdio') {
    const args = [...transport.args, 'mcp', '--provider', id];
    if (id === 'opencode') return { type: 'local', command: [transport.command, ...args] };
    return { ...(id === 'vscode' ? { type: 'stdio' } : {}), command: transport.command, args };
  }
  const { url } = transport;
  switch (id) {
    case 'claude-code':
      return { type: 'http', url, headers: bearer(`\${${AGENT_TOKEN}}`) };
    case 'codex':
      return { url, bearer_token_env_var: AGENT_TOKEN };
    case 'gemini':
      return { httpUrl: url, headers: bearer(`\${${AGENT_TOKEN}}`) };
    case 'opencode':
      // Without the last value it would try to log in first.
      return { type: 'remote', url, headers: bearer(`{env:${AGENT_TOKEN}}`), oauth: false };
    case 'cursor':
      return { url, headers: bearer(`\${env:${AGENT_TOKEN}}`) };
    case 'vscode':
      return { type: 'http', url, headers: bearer('${input:signalbox-token}') };
  }
}

function bearer(token: string): JsonObject {
  return { Authorization: `Bearer ${token}` };
}

/** It reads no environment variables for a header, but prompts once and stores the answer itself. */
const VSCODE_TOKEN: JsonObject = {
  inputs: [
    { type: 'promptString', id: 'signalbox-token', description: 'Signalbox access token', password: true },
  ],
};

const VSCODE_AGENT_FILE: AgentFile = {
  kind: 'text',
  path: '.github/agents/signalbox.agent.md',
  purpose: 'an agent with only Signalbox’s tools',
  content: `---
name: Signalbox
description: Works only through Signalbox
tools: ['signalbox/*']
---

Read, search, edit and run with the tools of Signalbox. A call that takes long answers with status "waiting" and a
command id: call signalbox_wait with it, and do not repeat the call.
`,
};
