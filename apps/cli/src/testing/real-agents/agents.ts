import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type AgentCall = Readonly<{ name: string; arguments: string }>;

/** How to run a real agent without a user, against a scripted model. */
export type RealAgent = Readonly<{
  id: 'claude-code' | 'codex' | 'gemini' | 'opencode';
  packageName: string;
  program: string;
  /** A shell line, by a tool of its own. */
  own: (line: string) => AgentCall;
  /** The prefix of our tools' names, as its model calls them. */
  prefix: string;
  argv: (prompt: string, modelUrl: string) => readonly string[];
  env: (modelUrl: string) => Readonly<Record<string, string>>;
  /** Other files of its home before it starts: its model, and the user's trust in the workspace. */
  home?: (home: string, options: Readonly<{ modelUrl: string; workspace: string }>) => void;
}>;

export const call = (name: string, args: object): AgentCall => ({ name, arguments: JSON.stringify(args) });

/** Codex settings as command-line arguments. */
function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
}

function put(path: string, content: object | string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    id: 'claude-code',
    packageName: '@anthropic-ai/claude-code',
    program: 'claude',
    own: (line) => call('Bash', { command: line, description: 'writes a file' }),
    prefix: 'mcp__signalbox__',
    argv: (prompt) => ['-p', prompt, '--model', 'claude-opus-5-5', '--no-session-persistence'],
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-ant-scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    home: (home, { workspace }) =>
      put(join(home, '.claude.json'), { projects: { [workspace]: { hasTrustDialogAccepted: true } } }),
  },
  {
    id: 'codex',
    packageName: '@openai/codex',
    program: 'codex',
    own: (line) => call('exec_command', { cmd: line }),
    prefix: 'mcp__signalbox__',
    argv: (prompt, url) => [
      ...'exec --skip-git-repo-check --ephemeral'.split(' '),
      ...settings({
        // A model that it knows: the offered tools depend on its name.
        model: '"gpt-5.5"',
        model_provider: '"scripted"',
        approval_policy: '"never"',
        'model_providers.scripted': `{name="scripted",base_url="${url}/v1",env_key="SCRIPTED_KEY",wire_api="responses"}`,
      }),
      prompt,
    ],
    env: () => ({ SCRIPTED_KEY: 'sk-scripted' }),
    home: (home, { workspace }) =>
      put(
        join(home, '.codex/config.toml'),
        `[projects.${JSON.stringify(workspace)}]\ntrust_level = "trusted"\n`,
      ),
  },
  {
    id: 'gemini',
    packageName: '@google/gemini-cli',
    program: 'gemini',
    own: (line) => call('run_shell_command', { command: line }),
    prefix: 'mcp_signalbox_',
    argv: (prompt) => ['-p', prompt, '-m', 'gemini-2.5-flash'],
    env: (url) => ({
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }),
    home: (home) =>
      put(join(home, '.gemini/settings.json'), {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
      }),
  },
  {
    id: 'opencode',
    packageName: 'opencode-ai',
    program: 'opencode',
    own: (line) => call('bash', { command: line, description: 'writes a file' }),
    prefix: 'signalbox_',
    argv: (prompt) => ['run', '-m', 'scripted/scripted', prompt],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    home: (home, { modelUrl: url }) =>
      put(join(home, '.config/opencode/opencode.json'), {
        autoupdate: false,
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'scripted' },
            models: { scripted: { name: 'scripted' } },
          },
        },
      }),
  },
];
