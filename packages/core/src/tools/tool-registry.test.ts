import { expect, test } from 'vitest';
import * as z from 'zod';
import { UsageError } from '../errors/errors.ts';
import { ALL_MODES } from '../mode.ts';
import { createToolRegistry, withComingTools } from './tool-registry.ts';
import { defineTool, type Tool } from './tool.ts';

const read = aTool('read_file', { category: 'read_only', aliases: ['read'] });
const write = aTool('write_file', { category: 'system_write', allowedModes: ['NORMAL', 'ALERT'] });
const echo = aTool('echo', { category: 'internal' });
const registry = createToolRegistry([write, read, echo]);

test('a tool is found by its name and its aliases only (S000-32, S000-33, S002-37)', () => {
  expect([registry.get('read_file'), registry.get('read')]).toEqual([read, read]);
  expect(['readfile', 'Read_file', '', 'constructor', '__proto__'].map((name) => registry.get(name))).toEqual(
    Array.from({ length: 5 }, () => undefined),
  );
});

test('the list is sorted by name, and filtered by mode (S000-34, S001-04)', () => {
  expect(registry.list()).toEqual([echo, read, write]);
  expect(registry.list('ALERT')).toEqual([echo, read, write]);
  expect(registry.list('LOCKDOWN')).toEqual([echo, read]);
});

test('tools are found by category', () => {
  expect(registry.inCategory('system_write')).toEqual([write]);
  expect(registry.inCategory('network')).toEqual([]);
});

test('dynamic tools are found while they exist, and take no name of a registered one (A7, S000-07, S001-08, S001-10, S001-12)', () => {
  const theirs = aTool('mcp__a__b', { category: 'network', allowedModes: ['NORMAL'] });
  const impostor = aTool('read', { category: 'network' });
  let current: readonly Tool[] = [];
  const open = withComingTools(registry, {
    list: () => current,
    get: (name) => current.find((tool) => tool.name === name),
  });
  expect(open.get('mcp__a__b')).toBeUndefined();
  current = [theirs, impostor];
  expect([open.get('mcp__a__b'), open.get('read')]).toEqual([theirs, read]);
  expect(open.list()).toEqual([echo, theirs, read, write]);
  expect(open.list('LOCKDOWN')).toEqual([echo, read]);
  expect(open.inCategory('network')).toEqual([theirs]);
  expect(open.pick(['mcp__a__b', 'read']).list()).toEqual([theirs, read]);
});

test("two tools can't share a name, nor one an alias with another", () => {
  const build = (tools: readonly Tool[]) => () => createToolRegistry(tools);
  expect(build([echo, echo])).toThrow(UsageError);
  expect(build([read, aTool('read')])).toThrow('Cannot register tool "read": a tool with this name exists');
});

test('a session that declares its tools gets only those (A6, S002-03, S002-42)', () => {
  const picked = registry.pick(['read', 'echo']);
  expect(picked.list()).toEqual([echo, read]);
  expect(picked.get('write_file')).toBeUndefined();
});

test('an unregistered tool in a declaration is an error that lists the registered ones (X-21)', () => {
  expect(() => registry.pick(['echo', 'launch'])).toThrow(
    expect.objectContaining({
      code: 'unknown-tool',
      message: 'Cannot offer tool "launch": it is not registered',
      next: ['one of: echo, read_file, write_file'],
    }),
  );
});

test('a tool has its defaults unless it sets others (S000-20…S000-24, S004-02, S004-18, S004-19)', () => {
  expect(echo).toMatchObject({
    aliases: [],
    kind: 'builtin',
    policy: 'auto',
    allowedModes: ALL_MODES,
    requiresSandbox: false,
    timeoutMs: 30_000,
    rateLimitPerHour: null,
    retryable: false,
  });
  expect(write.allowedModes).toEqual(['NORMAL', 'ALERT']);
});

test('a tool with a name that no provider accepts is not defined', () => {
  expect(() => aTool('read-file')).toThrow(z.ZodError);
});

function aTool(name: string, overrides: Partial<Tool> = {}): Tool {
  return defineTool<unknown>({
    name,
    description: `${name} for tests`,
    requestKind: 'other',
    category: 'internal',
    risk: 'low',
    args: z.unknown(),
    describe: () => '',
    effects: () => [],
    handle: () => Promise.resolve({ output: null }),
    ...overrides,
  });
}
