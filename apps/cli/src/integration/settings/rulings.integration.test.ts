import { expect, test } from 'vitest';
import { hostGit } from '../../testing/host-git.ts';
import { writeOwnSettings } from '../../testing/own-settings.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const DENY_LS = [{ id: 'no-ls', deny: { program: 'ls' } }];
const ASK_ALL = { approval: { prompt_on_warning: true } };

/** How `signalbox check` rules a line of a provider under these settings of the user. */
async function rulingOf(line: string, settings: object): Promise<string> {
  const workspace = ownWorkspace({ 'a.txt': 'a\n', 'src/b.txt': 'b\n' });
  hostGit(workspace, 'remote', 'add', 'origin', 'https://git.example/a.git');
  await writeOwnSettings(workspace, { text: JSON.stringify(settings) });
  const { out } = await createTestTerminal(workspace).signalbox(
    'check',
    '--provider',
    'openai',
    '--json',
    '--',
    line,
  );
  return (JSON.parse(out) as { ruling: { kind: string } }).ruling.kind;
}

test.for<Readonly<{ key: string; line: string; without: object; with: object; rulings: readonly string[] }>>([
  {
    key: 'approval.approval_mode',
    line: 'cat a.txt',
    without: {},
    with: { approval: { approval_mode: 'deny_all' } },
    rulings: ['allow', 'deny'],
  },
  {
    key: 'approval.auto_approve_safe',
    line: 'cat a.txt',
    without: {},
    with: { approval: { auto_approve_safe: false } },
    rulings: ['allow', 'ask'],
  },
  {
    key: 'approval.prompt_on_warning',
    line: 'touch x',
    without: {},
    with: ASK_ALL,
    rulings: ['allow', 'ask'],
  },
  {
    key: 'approval.deny_dangerous',
    line: 'git push --force',
    without: {},
    with: { approval: { deny_dangerous: true } },
    rulings: ['ask', 'deny'],
  },
  {
    key: 'approval.reads.docker',
    line: 'docker ps',
    without: {},
    with: { approval: { reads: { docker: [] } } },
    rulings: ['ask', 'allow'],
  },
  {
    key: 'shell_composition',
    line: 'cat a.txt && ls',
    without: {},
    with: { shell_composition: 'reject' },
    rulings: ['allow', 'deny'],
  },
  {
    key: 'agents.tool_execution.enabled',
    line: 'cat a.txt',
    without: {},
    with: { agents: { tool_execution: { enabled: false } } },
    rulings: ['allow', 'deny'],
  },
  {
    key: 'agents.tool_execution.auto_approve_tools',
    line: 'touch x',
    without: ASK_ALL,
    with: { ...ASK_ALL, agents: { tool_execution: { auto_approve_tools: ['bash'] } } },
    rulings: ['ask', 'allow'],
  },
  {
    key: 'policy.mode',
    line: 'ls',
    without: { rules: DENY_LS },
    with: { rules: DENY_LS, policy: { mode: 'shadow' } },
    rulings: ['deny', 'allow'],
  },
  {
    key: 'tools.authorization.enabled',
    line: 'ls',
    without: { tools: { authorization: { rules: DENY_LS } } },
    with: { tools: { authorization: { rules: DENY_LS, enabled: true } } },
    rulings: ['allow', 'deny'],
  },
  {
    key: 'tools.authorization.rules',
    line: 'ls',
    without: { tools: { authorization: { enabled: true } } },
    with: { tools: { authorization: { rules: DENY_LS, enabled: true } } },
    rulings: ['allow', 'deny'],
  },
  {
    key: 'tools.*.allowed_in_modes',
    line: 'cat a.txt',
    without: {},
    with: { tools: { bash: { allowed_in_modes: ['ALERT'] } } },
    rulings: ['allow', 'deny'],
  },
  {
    key: 'tools.*.requires_approval_in_modes',
    line: 'cat a.txt',
    without: {},
    with: { tools: { bash: { requires_approval_in_modes: ['NORMAL'] } } },
    rulings: ['allow', 'ask'],
  },
  {
    key: 'tools.*.allowed_paths',
    line: 'cat a.txt',
    without: {},
    with: { tools: { bash: { allowed_paths: ['src'] } } },
    rulings: ['allow', 'deny'],
  },
  {
    key: 'tools.*.command_allowlist',
    line: 'other-tool',
    without: {},
    with: { tools: { bash: { command_allowlist: ['my-tool'] } } },
    rulings: ['ask', 'deny'],
  },
  {
    key: 'providers.*.trust',
    line: 'touch x',
    without: {},
    with: { providers: { openai: { trust: 'untrusted' } } },
    rulings: ['allow', 'ask'],
  },
  {
    key: 'sandbox.allowed_paths',
    line: 'cat a.txt',
    without: {},
    with: { sandbox: { allowed_paths: ['src'] } },
    rulings: ['allow', 'deny'],
  },
  {
    key: 'sandbox.network.agreed.remotes',
    line: 'git fetch origin',
    without: {},
    with: { sandbox: { network: { agreed: { remotes: ['git.example'] } } } },
    rulings: ['ask', 'allow'],
  },
])('a key of the user decides how a line is ruled (setting: $key)', async (row) => {
  const rulings = [await rulingOf(row.line, row.without), await rulingOf(row.line, row.with)];
  expect(rulings).toEqual(row.rulings);
});
