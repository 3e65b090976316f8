import { type Tool } from '@signalbox/core';
import { createToolRegistry, defineTool } from '@signalbox/core';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createHarness } from '../testing/coordinator-harness.ts';
import { parseArgs } from './parse-args.ts';

const log = defineTool({
  name: 'git_log',
  description: 'Lists commits',
  requestKind: 'git',
  category: 'read_only',
  risk: 'low',
  argAliases: { timeout: { name: 'timeoutMs', read: (value) => Number(value) * 1000 } },
  args: z.strictObject({
    path: z.string().min(1),
    maxCount: z.int().min(1).max(1000).default(20),
    format: z.enum(['long', 'short']).optional(),
    timeoutMs: z.int().optional(),
    all: z.boolean().optional(),
  }),
  describe: () => '',
  effects: () => [],
  handle: async () => ({ output: '' }),
}) as unknown as Tool;

const TAKES = 'Call git_log again; it takes path (required), maxCount, format, timeoutMs, all';

function failing(args: Record<string, unknown> | string): string {
  const parsed = parseArgs(args, log);
  if ('args' in parsed) throw new Error('It fits');
  expect(parsed.failure.suggestion).toBe(TAKES);
  return parsed.failure.message.replace('Cannot call git_log: ', '');
}

test('invalid arguments are explained in words, with what the tool takes (V5, S000-63, U-15)', () => {
  expect(failing({ path: 'a', limit: 3 })).toBe('git_log has no argument "limit"');
  expect(failing({ path: 'a', formt: 'long' })).toBe(
    'git_log has no argument "formt" (did you mean "format"?)',
  );
  expect(failing({})).toBe('"path" is missing: text');
  expect(failing({ path: 7 })).toBe('"path" must be text, not a number');
  expect(failing({ path: null })).toBe('"path" must be text, not null');
  expect(failing({ path: '' })).toBe('"path" must not be empty');
  expect(failing({ path: 'a', maxCount: 0 })).toBe('"maxCount" must be at least 1');
  expect(failing({ path: 'a', maxCount: 5000 })).toBe('"maxCount" must be at most 1000');
  expect(failing({ path: 'a', format: 'wide' })).toBe('"format" must be one of long, short');
  expect(failing({ path: 'a', all: 'yes' })).toBe('"all" must be true or false, not text');
  expect(failing('{"path": ')).toMatch(/^the arguments are not JSON/);
});

test('other spellings of argument names are accepted, and none overrides the correct one (S003-16, L-19)', () => {
  const read = (args: Record<string, unknown>) => parseArgs(args, log);
  expect(read({ path: 'a', max_count: 3 })).toEqual({ args: { path: 'a', maxCount: 3 } });
  expect(read({ Path: 'a', timeout: 5 })).toEqual({ args: { path: 'a', maxCount: 20, timeoutMs: 5000 } });
  expect(failing({ path: 'a', Path: 'b' })).toContain('no argument "Path"');
});

test('for an unknown tool the closest offered one is suggested (A6, S000-55)', async () => {
  const harness = createHarness();
  const coordinator = await harness.start({ tools: createToolRegistry(harness.tools.list) });
  const reported = async (tool: string, context = {}) => {
    const { failure } = await harness.submit(coordinator, tool, {}, context).result;
    return [failure?.message, failure?.suggestion];
  };
  expect(await reported('shel')).toEqual([
    'Unknown tool "shel"; did you mean "shell"?',
    'Call shell, or another of: broken, check, deaf, echo, flaky, hold, shell',
  ]);
  expect(await reported('shell', { tools: ['hold', 'echo'] })).toEqual([
    'Unknown tool "shell"',
    'Call one of: echo, hold',
  ]);
  expect(await reported('frobnicate')).toEqual([
    'Unknown tool "frobnicate"',
    'Call one of: broken, check, deaf, echo, flaky, hold, shell',
  ]);
});
