import {
  createRedactor,
  createToolRegistry,
  defineTool,
  type Json,
  parseSettings,
  type Tool,
  ToolFailure,
} from '@signalbox/core';
import { aCallContext, createMemoryFiles } from '@signalbox/core/testing';
import { aCommandRecord } from '@signalbox/core/testing';
import { createPolicy } from '@signalbox/policy';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { hashOfCall } from '../approval/call-hash.ts';
import { WORKSPACE } from '../testing/coordinator-harness.ts';
import { callHashOf, judgeCall, type JudgeDependencies, questionOf } from './judge-call.ts';

const SECRET = 'hunter2-hunter2';

const write = defineTool({
  name: 'write',
  description: 'Writes',
  requestKind: 'file_write',
  category: 'system_write',
  risk: 'medium',
  args: z.strictObject({ path: z.string(), content: z.string().optional(), dry: z.boolean().default(false) }),
  describe: ({ path }) => `${path}\n${'x'.repeat(300)}`,
  effects: ({ path }) => [{ kind: 'write', path, scope: path.includes('*') ? 'glob' : 'file' }],
  handle: () => Promise.reject(new Error('judged, not run')),
});
const bash = defineTool({
  name: 'bash',
  description: 'Runs a line',
  requestKind: 'bash',
  category: 'execute',
  risk: 'high',
  args: z.strictObject({ line: z.string(), cwd: z.string().optional() }),
  describe: ({ line }) => line,
  shellLine: ({ line, cwd }) => ({ line, ...(cwd === undefined ? {} : { cwd }) }),
  effects: () => [],
  handle: () => Promise.reject(new Error('judged, not run')),
});
const broken = defineTool({
  ...write,
  name: 'broken',
  effects: ({ path }) => {
    if (path === 'refuse') throw new ToolFailure({ code: 'no', category: 'PermanentFailure', message: 'No' });
    throw new Error('bug');
  },
});

function partsOf(settings: Readonly<Record<string, Json>> = {}): JudgeDependencies {
  const parsed = parseSettings(settings);
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const redactor = createRedactor({ secrets: [SECRET] });
  return {
    tools: createToolRegistry([write, bash, broken]),
    policy: createPolicy(parsed.settings, { workspace: WORKSPACE, home: '/home/ana' }),
    files: createMemoryFiles({ root: WORKSPACE }),
    workspace: WORKSPACE,
    home: undefined,
    lines: { tests: null, lint: null },
    sandboxed: true,
    transactional: false,
    settings: parsed.settings,
    redact: { text: redactor.redact, json: redactor.redactJson },
  };
}

function judge(
  tool: string,
  args: Record<string, unknown> | string,
  options: { settings?: Readonly<Record<string, Json>>; mode?: 'NORMAL' | 'LOCKDOWN' } = {},
) {
  const { settings = {}, mode = 'NORMAL' } = options;
  return judgeCall({ callId: 'c', tool, args }, { context: aCallContext(), mode }, partsOf(settings));
}

function rulingOf(...call: Parameters<typeof judge>): string {
  const judgement = judge(...call);
  return judgement.kind === 'judged' ? judgement.ruling.kind : judgement.outcome.kind;
}

test('a call that would be denied never asks: each earlier check wins (X-06)', () => {
  expect(rulingOf('write', { path: 'a' })).toBe('ask');
  expect(rulingOf('nope', { path: 'a' })).toBe('failed');
  expect(rulingOf('write', { path: 7 })).toBe('failed');
  expect(rulingOf('write', { path: '../a' })).toBe('denied');
  expect(rulingOf('write', { path: '/etc/passwd' })).toBe('denied');
  expect(rulingOf('write', { path: '.git/config' })).toBe('deny');
  expect(rulingOf('write', { path: 'a' }, { mode: 'LOCKDOWN' })).toBe('deny');
  expect(rulingOf('write', { path: 'a', content: 'x'.repeat(11 * 1024 * 1024) })).toBe('deny');
  expect(rulingOf('bash', { line: 'rm -rf /' })).toBe('deny');
  expect(rulingOf('bash', { line: 'ls', cwd: '../../..' })).toBe('denied');
  expect(rulingOf('bash', { line: 'ls', cwd: 'src' })).toBe('allow');
  expect(rulingOf('write', { path: 'a' }, { settings: { approval: { approval_mode: 'deny_all' } } })).toBe(
    'deny',
  );
});

test('a line may use its private /tmp, and is judged again by whose /tmp it is then', () => {
  const parts = { ...partsOf(), ownFolders: ['/tmp'] };
  const call = { callId: 'c', tool: 'bash', args: { line: 'ls > /tmp/log; cat /tmp/log' } };
  const circumstances = { context: aCallContext(), mode: 'NORMAL' } as const;
  const known = judgeCall(call, circumstances, parts);
  expect(known).toMatchObject({
    ruling: { kind: 'allow' },
    judged: { claims: [], verdict: { level: 'safe' } },
  });
  expect(judgeCall(call, circumstances, partsOf())).toMatchObject({
    ruling: { kind: 'deny', rule: 'path-outside' },
  });
  if (known.kind !== 'judged') throw new Error('not judged');
  const { verdict } = known.judged;
  const record = { ...aCommandRecord({ context: aCallContext() }), call: known.judged.call, verdict };
  const again = (ownFolders?: readonly string[]) =>
    parts.policy.rule(questionOf(known.tool, record, { ...parts, ownFolders, mode: 'NORMAL' }));
  expect(again(['/tmp']).kind).toBe('allow');
  expect(again()).toMatchObject({ kind: 'deny', rule: 'path-outside' });
});

test('the answer to an unknown tool lists the available ones, with the name redacted and truncated', () => {
  const judgement = judge(`${SECRET}${'x'.repeat(200)}`, {});
  if (judgement.kind !== 'rejected') throw new Error('not rejected');
  expect(judgement.outcome).toMatchObject({ failure: { category: 'ToolNotFound' } });
  expect(JSON.stringify(judgement.outcome)).toContain('Call one of: bash, broken, write');
  expect(JSON.stringify([judgement.title, judgement.outcome])).not.toContain(SECRET);
  expect(judgement.title.length).toBeLessThan(100);
});

test('invalid arguments are distinguished: not JSON, wrong types, wrong values', () => {
  const failure = (args: Record<string, unknown> | string) => {
    const judgement = judge('write', args);
    return judgement.kind === 'rejected' && 'failure' in judgement.outcome
      ? judgement.outcome.failure
      : undefined;
  };
  expect(failure('{')).toMatchObject({ code: 'invalid-arguments', category: 'InvalidParameters' });
  expect(failure('{"path": 7}')).toMatchObject({ category: 'TypeMismatch' });
  expect(failure('[]')).toMatchObject({
    category: 'TypeMismatch',
    message: 'Cannot call write: the arguments must be an object, not a list',
  });
  expect(failure('  ')).toMatchObject({ category: 'TypeMismatch' });
  expect(failure({ path: 'a', more: 1 })).toMatchObject({ category: 'InvalidParameters' });
  expect(failure({ path: 'a', content: undefined })).toBeUndefined();
});

test('the arguments of a rejected call are kept for the audit, up to 4 KiB', () => {
  const argsOf = (args: Record<string, unknown> | string) => {
    const judgement = judge('nope', args);
    return judgement.kind === 'rejected' ? judgement.args : undefined;
  };
  expect(argsOf({ a: 1 })).toEqual({ a: 1 });
  expect(argsOf('{"a"')).toEqual({ text: '{"a"' });
  expect(JSON.stringify(argsOf({ a: 'x'.repeat(10_000) })).length).toBeLessThan(4300);
  expect(JSON.stringify(argsOf('x'.repeat(10_000))).length).toBeLessThan(4300);
});

test('a write that contains the mark of a redacted secret is rejected, a line that searches for it is not', () => {
  const judgement = judge('write', { path: 'a', content: 'key = "[redacted:aws-secret-key]"' });
  expect(judgement).toMatchObject({ kind: 'rejected', outcome: { failure: { code: 'redacted-content' } } });
  expect(judge('write', { path: 'a', content: 'a [redacted] b' }).kind).toBe('judged');
  expect(judge('bash', { line: "grep -rn '[redacted:field]' ." }).kind).toBe('judged');
});

test('titles are one line, redacted and at most 200 characters', () => {
  const judgement = judge('write', { path: `${SECRET}.ts` });
  if (judgement.kind !== 'judged') throw new Error('not judged');
  expect(judgement.judged.title).toMatch(/^write \[redacted:secret\]\.ts\\nx+…$/);
  expect(judgement.judged.title).toHaveLength(200);
});

test('reasons and rulings contain no secret of the line, and the call keeps it', () => {
  const judgement = judge('bash', { line: `curl https://example.com/?key=${SECRET} > out` });
  if (judgement.kind !== 'judged') throw new Error('not judged');
  expect(JSON.stringify([judgement.judged.verdict.reasons, judgement.ruling])).not.toContain(SECRET);
  expect(judgement.judged.call.args).toMatchObject({ line: expect.stringContaining(SECRET) });
});

test('a hash depends on tool, arguments, workspace, definition, policy and shell line, and not on the call’s id', () => {
  const bounds = { workspace: '/a', policyVersion: '1', line: null };
  const call = { callId: 'c', tool: 'write', args: { path: 'a' } };
  const hashes = [
    hashOfCall(call, bounds),
    hashOfCall({ ...call, tool: 'other' }, bounds),
    hashOfCall({ ...call, args: { path: 'b' } }, bounds),
    hashOfCall(call, { ...bounds, workspace: '/b' }),
    hashOfCall(call, { ...bounds, definition: 'a' }),
    hashOfCall(call, { ...bounds, definition: 'b' }),
    hashOfCall(call, { ...bounds, policyVersion: '2' }),
    hashOfCall(call, { ...bounds, line: 'npm test' }),
  ];
  expect(new Set(hashes).size).toBe(8);
  expect(hashOfCall({ ...call, callId: 'd' }, bounds)).toBe(hashes[0]);
  const judgement = judge('bash', { line: 'ls' });
  if (judgement.kind !== 'judged') throw new Error('not judged');
  expect(callHashOf(judgement.judged.call, judgement.tool, partsOf())).toBe(judgement.judged.callHash);
});

test('a tool that can’t determine its effects is rejected if it gives a reason, and fails otherwise', () => {
  expect(judge('broken', { path: 'refuse' })).toMatchObject({
    kind: 'rejected',
    outcome: { failure: { code: 'no' } },
  });
  expect(() => judge('broken', { path: 'a' })).toThrow('bug');
});

test('globs keep their pattern, other paths are normalised', () => {
  const effectsOf = (path: string) => {
    const judgement = judge('write', { path });
    return judgement.kind === 'judged' ? judgement.judged.verdict.effects : [];
  };
  expect(effectsOf('./src/../a.ts')).toEqual([{ kind: 'write', path: 'a.ts', scope: 'file' }]);
  expect(effectsOf('src/*.ts')).toEqual([{ kind: 'write', path: 'src/*.ts', scope: 'glob' }]);
});

test('a command that was never judged can’t be judged again', () => {
  expect(() => questionOf(bash as Tool, aCommandRecord(), { mode: 'NORMAL', ...partsOf() })).toThrow(
    'never classified',
  );
});
