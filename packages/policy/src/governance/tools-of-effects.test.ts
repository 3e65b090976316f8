import type { Effect, Verdict } from '@signalbox/core';
import { expect, test } from 'vitest';
import { classifyLine } from '../shell/classify-line.ts';
import type { Policy } from './create-policy.ts';
import {
  BASH,
  PATH_CONTEXT,
  policyOf,
  questionOf,
  read,
  toolOf,
  write,
} from './testing/question-builders.ts';

const asking = (...tools: readonly string[]): Policy =>
  policyOf({ agents: { tool_execution: { auto_approve_tools: [], require_approval_tools: tools } } });

function judged(
  policy: Policy,
  line: string,
  { reversible = true }: Readonly<{ reversible?: boolean }> = {},
): string {
  const verdict: Verdict = classifyLine(line, { cwd: PATH_CONTEXT.workspace, ...PATH_CONTEXT });
  const { kind, rule, reason } = policy.rule({
    ...questionOf({ tool: BASH, line, reversible }),
    verdict,
  });
  return `${kind} ${rule}: ${reason}`;
}

const LISTED = /^ask writes-ask: require_approval_tools lists /;

test.for([
  [
    'write_file',
    ['echo x > f', 'cp a b', 'sed -i s/a/b/ f', 'tee f', 'mv a b', 'git checkout main', 'touch f'],
  ],
  ['delete_file', ['rm f', 'git rm f', 'mv a b', 'unlink f']],
  [
    'git_commit',
    [
      'git commit -m x',
      'git -C web commit -m x',
      'git add a && git commit --amend --no-edit',
      'git merge topic',
      'git cherry-pick HEAD~2',
      'git revert HEAD',
      'git rebase main',
      'git -c user.name=x commit -am x',
      'git commit-tree HEAD^{tree} -m x',
    ],
  ],
  ['git.*', ['git add f', 'git commit -m x']],
  ['read_file', ['cat a', 'grep -r x src']],
] as const)('require_approval_tools: [%s] covers shell lines with that effect (S002-43)', ([tool, lines]) => {
  const own = asking(tool);
  for (const line of lines) expect([line, judged(own, line)]).toEqual([line, expect.stringMatching(LISTED)]);
});

test('such a list does not affect other effects', () => {
  for (const line of ['ls', 'git status', 'npm test'])
    expect([line, judged(asking('write_file', 'delete_file', 'git_commit'), line)]).toEqual([
      line,
      expect.stringMatching(/^allow /),
    ]);
  expect(judged(asking('delete_file'), 'echo x > f')).toMatch(/^allow reversible-auto/);
  expect(judged(asking('git_commit'), 'git branch topic')).toMatch(/^allow reversible-auto/);
});

test('when a line runs outside a transaction, one that may write anything counts as each of them', () => {
  expect(judged(asking('git_commit'), 'bash x.sh', { reversible: false })).toMatch(LISTED);
  expect(judged(asking('write_file'), 'npm test', { reversible: false })).toMatch(LISTED);
});

test('a list of names that runs the tool lifts no approval that another list requires for its effect', () => {
  const auto = ['bash', 'mcp__notes__save'];
  const both = policyOf({
    agents: { tool_execution: { auto_approve_tools: auto, require_approval_tools: ['write_file'] } },
  });
  expect(judged(both, 'echo x > f')).toMatch(LISTED);
  expect(judged(both, 'ls')).toMatch(/^allow /);
  const save = toolOf({ name: 'mcp__notes__save', aliases: [], kind: 'mcp', category: 'execute' });
  expect(both.rule(questionOf({ tool: save, effects: [write('notes/a.md')] }))).toMatchObject({
    kind: 'ask',
    reason: 'require_approval_tools lists write_file: writes notes/a.md',
  });
});

test('fetch_url in a list means the network, and secrets count as read', () => {
  const get = toolOf({ name: 'mcp__x__get', aliases: [], kind: 'mcp', category: 'read_only' });
  const reason = (tool: string, effect: Effect): string =>
    asking(tool).rule(questionOf({ tool: get, level: 'safe', effects: [effect] })).reason;
  expect(reason('fetch_url', { kind: 'network', host: 'x.example' })).toBe(
    'require_approval_tools lists fetch_url: reaches x.example',
  );
  expect(reason('fetch_url', { kind: 'network' })).toMatch(/reaches unknown hosts$/);
  const own: Effect = { kind: 'delete', path: '/tmp/a', scope: 'file' };
  expect(
    asking('delete_file').checkApproval(questionOf({ tool: get, level: 'safe', effects: [own] })).kind,
  ).toBe('allow');
  expect(reason('read_file', { kind: 'secret', path: 'a.txt' })).toMatch(/reads a\.txt$/);
});

test('a tool’s policy and modes apply to every call with its effect (D9, X-33)', () => {
  const policy = policyOf({ tools: { write_file: { policy: 'requires_approval' } } });
  expect(judged(policy, 'echo x > f')).toBe(
    'ask tool-asks: tools.write_file.policy is requires_approval: writes f',
  );
  const modes = policyOf({
    tools: {
      write_file: { requires_approval_in_modes: ['NORMAL'] },
      delete_file: { forbidden_in_modes: ['NORMAL'] },
      git_commit: { allowed_in_modes: ['ALERT'] },
    },
  });
  expect(judged(modes, 'echo x > f')).toBe('ask mode-asks: write_file needs approval in NORMAL mode');
  expect(judged(modes, 'rm f')).toMatch(/^deny mode-forbids/);
  expect(judged(modes, 'git commit -m x')).toMatch(/^deny mode-forbids/);
  expect(judged(modes, 'ls')).toMatch(/^allow /);
});

test('file_writes: ask names the changes, bounded, and reading needs no approval', () => {
  const ask = policyOf({ approval: { file_writes: 'ask' } });
  expect(judged(ask, 'touch a b c d e')).toBe(
    'ask writes-ask: approval.file_writes is ask: writes a, writes b, writes c and 2 more',
  );
  expect(judged(ask, 'git add a')).toMatch(/ask: changes git:index$/);
  for (const line of ['ls', 'cat a', 'git log', 'npm test'])
    expect([line, judged(ask, line)]).toEqual([line, expect.stringMatching(/^allow /)]);
  expect(judged(ask, 'npm test', { reversible: false })).toMatch(/may change any file$/);
});

test('file_writes: never runs only plain changes of files without a way back', () => {
  const never = policyOf({ approval: { file_writes: 'never' } });
  for (const line of ['echo x > f', 'rm f', 'git commit -m x'])
    expect([line, judged(never, line, { reversible: false })]).toEqual([
      line,
      expect.stringMatching(/^allow writes-auto/),
    ]);
  for (const line of ['bash x.sh', 'rm -rf src', 'echo x > AGENTS.md', 'npm install zod', 'git restore f'])
    expect([line, judged(never, line, { reversible: false })]).toEqual([
      line,
      expect.stringMatching(/^ask /),
    ]);
  const open = { effects: [write('a'), read('b')], sandboxed: false };
  expect(never.rule(questionOf(open)).rule).toBe('writes-auto');
  const foreign = toolOf({ name: 'mcp__x__y', aliases: [], kind: 'mcp' });
  expect(never.rule(questionOf({ ...open, tool: foreign })).rule).toBe('warning-asks');
  const wary = policyOf({ approval: { file_writes: 'never', prompt_on_warning: true } });
  expect(judged(wary, 'echo x > f', { reversible: false })).toMatch(/^ask warning-asks/);
});
