import type { Effect } from '@signalbox/core';
import { expect, test } from 'vitest';
import { classifyLine } from '../shell/classify-line.ts';
import { programFileReasons } from './program-file-reasons.ts';
import { verdictOfTool } from './verdict-of-tool.ts';
import { rule } from '../rules/testing/rule-questions.ts';
import { questionOf } from './testing/question-builders.ts';

const NAMED = { byGit: ['tools/hooks'], byPerson: [], byConnect: ['.mcp.json'] };
const change = (
  path: string,
  { kind = 'write', scope = 'file' }: Readonly<{ kind?: 'write' | 'delete'; scope?: 'file' | 'tree' }> = {},
): Effect => ({
  kind,
  path,
  scope,
});
const grades = (...effects: readonly Effect[]): readonly string[] =>
  programFileReasons(effects, () => NAMED).map(({ level, code }) => `${level} ${code}`);

test('each effect that names such a file has a reason by its grade', () => {
  expect(grades(change('.mcp.json'))).toEqual(['blocked connected-settings']);
  expect(grades(change('.claude', { kind: 'delete', scope: 'tree' }))).toEqual([
    'dangerous program-settings',
  ]);
  expect(grades(change('tools/hooks/pre-push'), change('AGENTS.md'))).toEqual([
    'dangerous program-settings',
    'warning program-file',
  ]);
  expect(
    grades(
      change('.github', { kind: 'write', scope: 'tree' }),
      change('tools', { kind: 'delete', scope: 'tree' }),
    ),
  ).toEqual(['warning program-file', 'dangerous program-settings']);
});

test('a folder that may be written anywhere names none of them, nor does a read or a path elsewhere', () => {
  expect(
    grades(change('.', { kind: 'write', scope: 'tree' }), change('/home/ana/.claude/x'), change('~/.npmrc')),
  ).toEqual([]);
  expect(grades({ kind: 'read', path: 'AGENTS.md', scope: 'file' }, { kind: 'write-unknown' })).toEqual([]);
  expect(grades(change('src', { kind: 'write', scope: 'tree' }))).toEqual([]);
});

test('the user’s files are not read for a call that changes nothing', () => {
  const unread = () => {
    throw new Error('it was read');
  };
  const reads = { kind: 'read', path: 'AGENTS.md', scope: 'file' } as const;
  expect(programFileReasons([reads, { kind: 'network' }], unread)).toEqual([]);
  expect(classifyLine('cat AGENTS.md', { cwd: '/repo', namedFiles: unread }).level).toBe('safe');
  expect(() => programFileReasons([change('a.ts')], unread)).toThrow('it was read');
});

test('a shell line and a tool are judged alike; what git brings is checked after the write', () => {
  const lineLevel = (line: string): string =>
    classifyLine(line, { cwd: '/repo', namedFiles: () => NAMED }).level;
  expect(
    ['echo x > .mcp.json', 'echo x > .envrc', 'echo x > .npmrc', 'git restore .envrc'].map(lineLevel),
  ).toEqual(['blocked', 'dangerous', 'warning', 'warning']);
  const tool = { name: 'write_file', category: 'system_write', risk: 'medium' } as const;
  expect(verdictOfTool(tool, [change('.envrc')], () => NAMED).level).toBe('dangerous');
});

test('the lighter grade needs approval in any mode and list, until a rule that names the path lifts it', () => {
  const asked = (path: string) => {
    const question = questionOf({});
    return { ...question, verdict: verdictOfTool(question.tool, [change(path)]) };
  };
  const free = { approval: { approval_mode: 'allow_all' } };
  const allow = (path: string) => [{ id: 'mine', allow: { path } }];
  expect(rule([], asked('AGENTS.md'), free)).toBe('ask program-files-ask');
  expect(rule(allow('AGENTS.md'), asked('AGENTS.md'), free)).toBe('allow mine');
  const prompting = { approval: { approval_mode: 'prompt' } };
  expect(rule(allow('AGENTS.md'), asked('AGENTS.md'), prompting)).toBe('ask approval-asks-all');
  expect(rule(allow('.envrc'), asked('.envrc'), free)).toBe('ask dangerous-asks');
});
