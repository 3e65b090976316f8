import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestRuntime } from '../../testing/open-test-runtime.ts';
import { ownWorkspace } from '../../testing/own-workspace.ts';
import { createTestTerminal } from '../../testing/test-context.ts';

const FILES = { 'release/a': 'kept\n', 'x.sh': 'echo y > y\necho bypass > release/a\n' };

test.for([
  ['tools.write_file.forbidden_paths', { tools: { write_file: { forbidden_paths: ['release/**'] } } }],
  [
    'a rule on an effect and a path',
    { rules: [{ id: 'no-release', deny: { effect: 'write', path: 'release/**' } }] },
  ],
] as const)(
  '%s applies to every change of the file, and never to reading it (S000-44) (setting: tools.*.forbidden_paths, rules)',
  async ([, settings]) => {
    await using own = await openTestRuntime({ files: FILES, settings });
    const bash = (line: string) => own.call('openai', 'bash', { line });
    for (const line of ['echo x > release/a', 'rm release/a', 'sed -i s/k/x/ release/a', 'cp x.sh release/b'])
      expect([line, (await bash(line)).outcome.kind]).toEqual([line, 'denied']);
    const script = await bash('bash x.sh');
    expect([script.success, existsSync(join(own.workspace, 'y'))]).toEqual([false, false]);
    expect((await bash('cat release/a')).content).toContain('kept');
    expect((await own.call('openai', 'read_file', { path: 'release/a' })).success).toBe(true);
    expect((await bash('echo x > other')).success).toBe(true);
    expect(readFileSync(join(own.workspace, 'release/a'), 'utf8')).toBe('kept\n');
  },
);

test('with command_allowlist_only no other program is started, known or not (S000-42) (setting: tools.*.command_allowlist_only)', async () => {
  const bash = { command_allowlist: ['git', 'npm', 'wc'], command_allowlist_only: true };
  await using own = await openTestRuntime({ settings: { tools: { bash } } });
  const outcome = async (line: string): Promise<string> =>
    (await own.call('openai', 'bash', { line })).outcome.kind;
  for (const line of ['git status', 'echo a | wc -l', 'cd . && git log --oneline -1 || true'])
    expect([line, await outcome(line)]).not.toEqual([line, 'denied']);
  for (const line of [
    "python3 -c 'print(1)'",
    'sed -i s/a/b/ x',
    'echo a | xargs touch',
    '$X',
    'env git status',
  ])
    expect([line, await outcome(line)]).toEqual([line, 'denied']);
});

test.for([
  ['tools: {bsah: {policy: requires_approval}}', 'tools.bsah', 'bash'],
  ['agents: {tool_execution: {require_approval_tools: [wirte_file]}}', 'wirte_file', 'write_file'],
  ['rules: [{id: a, deny: {tool: delete_fiel}}]', 'delete_fiel', 'delete_file'],
  ['rules: [{id: a, ask: {effect: write}, tools: [bahs]}]', 'bahs', 'bash'],
  ['tools: {authorization: {rules: [{id: a, deny: {tool: bahs}}]}}', 'bahs', 'bash'],
] as const)('a misspelt tool is an error that names the closest one: %s', async ([text, name, meant]) => {
  const workspace = ownWorkspace({ 'signalbox.yaml': `${text}\n` });
  const { exit, talk } = await createTestTerminal(workspace).signalbox('check', '--', 'ls');
  expect([exit, talk]).toEqual([2, expect.stringContaining(name)]);
  expect(talk).toContain(`did you mean ${meant}?`);
});

test.for([
  [
    'agents: {tool_execution: {require_approval_tools: [mcp__githb__create_issue]}}',
    'mcp__github__create_issue',
  ],
  ['tools: {mcp__githb__push: {policy: requires_approval}}', 'mcp__github__push'],
  ['rules: [{id: a, deny: {tool: "mcp__githb__*"}}]', 'mcp__github__*'],
  ['tools: {bash: {forbidden_in_modes: [LOKDOWN]}}', 'LOCKDOWN'],
  ['tools: {bash: {category: executee}}', 'execute'],
] as const)(
  'a misspelt server, mode or category is an error that names the closest one: %s',
  async ([text, meant]) => {
    const servers = 'mcp_servers: {github: {command: github-mcp}}';
    const workspace = ownWorkspace({ 'signalbox.yaml': `${servers}\n${text}\n` });
    const { exit, talk } = await createTestTerminal(workspace).signalbox('check', '--', 'ls');
    expect([exit, talk]).toEqual([2, expect.stringContaining(`did you mean ${meant}?`)]);
  },
);

test('tool names of MCP servers, name prefixes and future tools are not mistakes', async () => {
  const lists =
    'agents: {tool_execution: {auto_approve_tools: ["mcp__notes__*", "git.*", graph_query, file.write]}}';
  const servers = 'mcp_servers: {github: {command: github-mcp}}\n';
  const rules = 'rules: [{id: a, deny: {tool: mcp__github__push}}, {id: b, deny: {tool: mcp__jira__close}}]';
  const workspace = ownWorkspace({ 'signalbox.yaml': `${servers}${lists}\n${rules}\n` });
  expect((await createTestTerminal(workspace).signalbox('check', '--', 'ls')).exit).toBe(0);
});
