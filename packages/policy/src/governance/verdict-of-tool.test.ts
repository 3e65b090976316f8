import type { Effect, Level, Risk, ToolCategory } from '@signalbox/core';
import { expect, test } from 'vitest';
import { verdictOfTool } from './verdict-of-tool.ts';

const tool = (category: ToolCategory, risk: Risk = 'medium') => ({ name: 'any', category, risk });

test.for<[ToolCategory, Risk, Level]>([
  ['read_only', 'low', 'safe'],
  ['internal', 'low', 'safe'],
  ['system_write', 'high', 'warning'],
  ['execute', 'high', 'warning'],
  ['network', 'medium', 'warning'],
  ['network', 'high', 'dangerous'],
])('a tool of category %s with %s risk is %s (C8)', ([category, risk, level]) => {
  expect(verdictOfTool(tool(category, risk), []).level).toBe(level);
});

test.for<[Effect, Level, string]>([
  [{ kind: 'read', path: 'a', scope: 'tree' }, 'safe', 'tool-read-only'],
  [{ kind: 'repository-code' }, 'safe', 'tool-read-only'],
  [{ kind: 'resource', resource: 'git:refs', access: 'read' }, 'safe', 'tool-read-only'],
  [{ kind: 'write', path: 'a', scope: 'file' }, 'warning', 'writes-file'],
  [{ kind: 'delete', path: 'a', scope: 'file' }, 'warning', 'deletes-file'],
  [{ kind: 'delete', path: 'a', scope: 'tree' }, 'dangerous', 'delete-recursive'],
  [{ kind: 'delete', path: 'a*', scope: 'glob' }, 'dangerous', 'delete-recursive'],
  [{ kind: 'write-unknown' }, 'warning', 'writes-unknown'],
  [{ kind: 'network' }, 'warning', 'network'],
  [{ kind: 'network', host: 'example.com' }, 'warning', 'network'],
  [{ kind: 'process', program: 'x' }, 'warning', 'starts-program'],
  [{ kind: 'resource', resource: 'git:index', access: 'write' }, 'warning', 'changes-resource'],
  [{ kind: 'secret', path: '.env' }, 'dangerous', 'reads-secret'],
  [{ kind: 'privilege', program: 'sudo' }, 'blocked', 'privilege'],
])('a reading tool with the effect %j is %s', ([effect, level, code]) => {
  const verdict = verdictOfTool(tool('read_only'), [effect]);
  expect(verdict).toMatchObject({ level, effects: [effect], composed: false });
  expect(verdict.reasons[0]).toMatchObject({ level, code });
  expect(verdict.runsRepositoryCode).toBe(effect.kind === 'repository-code');
});

test('reasons of the strictest level come first, and none is lost', () => {
  const verdict = verdictOfTool(tool('system_write'), [
    { kind: 'write', path: 'a', scope: 'file' },
    { kind: 'secret', path: '.env' },
  ]);
  expect(verdict.reasons.map(({ code }) => code)).toEqual([
    'reads-secret',
    'tool-system-write',
    'writes-file',
  ]);
});
