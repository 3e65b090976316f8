import { parseSettings } from '@signalbox/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRules } from '../rules/check-examples.ts';
import { importClaudeCode } from './import-claude-code.ts';
import { importCodex } from './import-codex.ts';
import { importGemini } from './import-gemini.ts';
import type { Imported } from './imported.ts';

/** Every imported rule must be valid in a file, with examples that pass. */
function matchers({ rules }: Imported): readonly unknown[] {
  const parsed = parseSettings({ rules });
  expect(parsed).toMatchObject({ kind: 'ok' });
  expect(parsed.kind === 'ok' ? checkRules(parsed.settings.rules) : []).toEqual([]);
  return rules.map(({ id: _id, ...rule }) => rule);
}

describe('permissions of Claude Code', () => {
  test('become rules on words, files and hosts', () => {
    const imported = importClaudeCode({
      permissions: {
        allow: ['Bash(npm run test:*)', 'Bash(npm run build)', 'Bash(git log *)', 'Edit(/docs/**)'],
        ask: ['Bash(git push *)', 'Bash'],
        deny: [
          'Read(.env)',
          'Read(./private/**)',
          'WebFetch(domain:example.com)',
          'Bash(curl:*)',
          'Edit(//etc/**)',
        ],
      },
    });
    expect(matchers(imported)).toEqual([
      { deny: { path: '**/.env' } },
      { deny: { path: 'private/**' } },
      { deny: { effect: 'network', host: 'example.com' } },
      { deny: { program: 'curl' } },
      { deny: { path: '/etc/**' }, tools: ['write_file', 'edit_file', 'delete_file', 'bash'] },
      { ask: { program: 'git', args: ['push'] } },
      { ask: { tool: 'bash' } },
      { allow: { program: 'npm', args: ['run', 'test', '**'] } },
      { allow: { program: 'npm', args: ['run', 'build'] } },
      { allow: { program: 'git', args: ['log', '**'] } },
      { allow: { tool: 'write_file', path: 'docs/**' } },
      { allow: { tool: 'edit_file', path: 'docs/**' } },
    ]);
    expect(imported.skipped).toEqual([]);
  });

  test('report what can’t be imported', () => {
    const { rules, skipped } = importClaudeCode({
      permissions: {
        allow: [
          'Bash',
          'WebFetch(domain:x.example)',
          'mcp__github',
          'Bash(a && b)',
          'Bash(* install)',
          'Read',
        ],
        defaultMode: 'plan',
      },
    });
    expect(rules).toEqual([]);
    expect(skipped.map(({ rule }) => rule)).toEqual([
      'Bash',
      'WebFetch(domain:x.example)',
      'mcp__github',
      'Bash(a && b)',
      'Bash(* install)',
      'Read',
      'permissions.defaultMode',
    ]);
    expect(importClaudeCode([]).skipped).toEqual([{ rule: 'the file', why: 'has no permissions' }]);
  });
});

describe('rules of Codex', () => {
  test('become rules with their examples and reasons', () => {
    const imported = importCodex(`
      # Never without a person (really)
      prefix_rule(
        pattern = ["git", ["push", "fetch"]],
        decision = "prompt",
      )
      prefix_rule(pattern=['npm', 'publish'], decision='forbidden', justification="CI \\"publishes\\"",
        match = [["npm", "publish", "--tag", "a b"], "npm publish"],
        not_match = ["npm --silent publish", 'npm pack'])
      prefix_rule(pattern = ["ls"])
    `);
    expect(matchers(imported)).toEqual([
      { ask: { program: 'git', args: ['push'] } },
      { ask: { program: 'git', args: ['fetch'] } },
      {
        deny: { program: 'npm', args: ['publish'] },
        because: 'CI "publishes"',
        examples: { match: ["npm publish --tag 'a b'", 'npm publish'], not_match: ['npm pack'] },
      },
      { allow: { program: 'ls' } },
    ]);
    expect(imported.skipped.map(({ why }) => why)).toEqual([
      'its example "npm --silent publish" (not_match) fails here and was left out',
    ]);
  });

  test('report what can’t be imported', () => {
    const { rules, skipped } = importCodex(`
      host_executable(name = "git", paths = ["/usr/bin/git"])
      prefix_rule(pattern = NAMES)
      prefix_rule(pattern = [])
      prefix_rule(pattern = ["a"], decision = "maybe")
    `);
    expect(rules).toEqual([]);
    expect(skipped.map(({ why }) => why)).toEqual([
      '"host_executable" has no equivalent here',
      'is not a literal: only strings and lists can be imported',
      'has a pattern that is not a list of words, or has too many',
      'has an unknown decision "maybe"',
    ]);
  });

  test('never hang or throw, for any file', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('prefix_rule', '(', ')', '[', ']', '"', "'", '#', '\n', '=', ',', 'a')),
        (parts) => {
          importCodex(parts.join(''));
        },
      ),
    );
  });
});

test('the policy of Gemini becomes rules, and what can’t be imported is reported', () => {
  const imported = importGemini({
    rule: [
      {
        toolName: 'run_shell_command',
        commandPrefix: ['git status', 'git log'],
        decision: 'allow',
        priority: 100,
      },
      {
        toolName: 'run_shell_command',
        commandPrefix: 'rm -rf',
        decision: 'deny',
        priority: 200,
        denyMessage: 'no',
      },
      { toolName: 'run_shell_command', commandRegex: 'npm (publish|login)', decision: 'ask_user' },
      { toolName: ['replace', 'glob'], decision: 'ask_user' },
      { toolName: 'run_shell_command', commandRegex: 'a', decision: 'allow' },
      { toolName: 'run_shell_command', commandRegex: '(?=a)', decision: 'deny' },
      { toolName: 'write_file', argsPattern: 'x', decision: 'deny' },
      { mcpName: 'x', decision: 'deny' },
      { toolName: 'write_file', decision: 'allow' },
      { toolName: 'write_file', decision: 'deny', modes: ['yolo'] },
      { toolName: 'write_file', decision: 'perhaps' },
    ],
  });
  expect(matchers(imported)).toEqual([
    { allow: { program: 'git', args: ['status', '**'] } },
    { allow: { program: 'git', args: ['log', '**'] } },
    { deny: { program: 'rm', args: ['-rf'] }, because: 'no' },
    { ask: { pattern: '^(?:npm (publish|login))' } },
    { ask: { tool: 'edit_file' } },
  ]);
  expect(imported.skipped).toHaveLength(9);
});
