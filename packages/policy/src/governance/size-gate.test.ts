import { expect, test } from 'vitest';
import { policyOf, questionOf, READ_FILE, toolOf, write } from './testing/question-builders.ts';

const MIB = 1024 ** 2;
const limits = { write_file: { max_file_size_mb: 4 }, read_file: { max_file_size_mb: 2 } };
const policy = policyOf({ tools: { ...limits, edit_file: { max_file_size_mb: 3 } } });
const EDIT = toolOf({ name: 'edit_file', aliases: [] });

test('the sizes of write_file and read_file apply to every write and read; the strictest counts (S000-45)', () => {
  const found = (tool: Parameters<typeof policy.sizeLimit>[0], access: 'read' | 'write') =>
    policy.sizeLimit(tool, access);
  expect(found(toolOf(), 'write')).toEqual({ mib: 4, tool: 'write_file' });
  expect(found(EDIT, 'write')).toEqual({ mib: 3, tool: 'edit_file' });
  expect(found(toolOf({ name: 'mcp__notes__save', aliases: [] }), 'write')).toEqual({
    mib: 4,
    tool: 'write_file',
  });
  expect(found(READ_FILE, 'read')).toEqual({ mib: 2, tool: 'read_file' });
  // The limit of write_file does not restrict what it reads on its way.
  expect(found(toolOf(), 'read')).toEqual({ mib: 2, tool: 'read_file' });
});

test('without size settings no file has a limit', () => {
  expect(policyOf().sizeLimit(READ_FILE, 'read')).toBeNull();
});

test('a text over the limit of write_file is denied in another tool too, and the denial names that tool', () => {
  const save = toolOf({ name: 'save_note', aliases: [] });
  const over = (tool: typeof save) =>
    policy.rule(questionOf({ tool, contentBytes: 5 * MIB, effects: [write('a')] }));
  expect(over(save)).toMatchObject({
    rule: 'too-large',
    failure: { message: expect.stringContaining('the limit of write_file is 4 MiB') },
  });
  expect(over(toolOf())).toMatchObject({
    failure: { message: expect.stringContaining('its limit is 4 MiB') },
  });
});

test('a name that settings use for a tool is its own', () => {
  const named = policyOf({ tools: { 'file.write': { max_file_size_mb: 1 } } });
  expect(named.rule(questionOf({ contentBytes: 2 * MIB }))).toMatchObject({
    failure: { message: expect.stringContaining('its limit is 1 MiB') },
  });
});

test('a text of exactly the limit passes; one byte more is denied, 10 MiB by default (S000-36)', () => {
  const rule = (contentBytes: number, of = policyOf()) => of.rule(questionOf({ contentBytes }));
  expect(rule(10 * MIB)).not.toMatchObject({ rule: 'too-large' });
  expect(rule(10 * MIB + 1)).toMatchObject({
    rule: 'too-large',
    failure: {
      code: 'too-large',
      message: 'Cannot call write_file with 10.0 MiB: its limit is 10 MiB',
      suggestion: 'Split the content into several calls',
    },
  });
  expect(rule(4 * MIB, policy)).not.toMatchObject({ rule: 'too-large' });
  expect(rule(4 * MIB + 1, policy)).toMatchObject({ rule: 'too-large' });
});

test('the text of a shell line is not measured as a file, and a tool that writes none has its own limit', () => {
  const effects = [write('a'), { kind: 'resource', resource: 'git:index', access: 'write' }] as const;
  const big = { contentBytes: 5 * MIB, effects };
  const save = toolOf({ name: 'save_note', aliases: [] });
  expect(policy.rule(questionOf({ tool: save, ...big }))).toMatchObject({ rule: 'too-large' });
  expect(policy.rule(questionOf({ tool: save, ...big, line: 'cat > a' }))).not.toMatchObject({
    rule: 'too-large',
  });
  expect(policy.rule(questionOf({ tool: save, contentBytes: 5 * MIB }))).not.toMatchObject({
    rule: 'too-large',
  });
});

test('of equal limits the tool’s own is named, and a tool with a limit of its own keeps it for what it reads', () => {
  const equal = policyOf({
    tools: { write_file: { max_file_size_mb: 3 }, edit_file: { max_file_size_mb: 3 } },
  });
  expect(equal.sizeLimit(EDIT, 'write')).toEqual({ mib: 3, tool: 'edit_file' });
  const searches = toolOf({ name: 'search_files', aliases: [] });
  const small = policyOf({
    tools: { search_files: { max_file_size_mb: 1 }, read_file: { max_file_size_mb: 2 } },
  });
  expect(small.sizeLimit(searches, 'read')).toEqual({ mib: 1, tool: 'search_files' });
  expect(policyOf({ tools: { search_files: { timeout: '5s' } } }).sizeLimit(searches, 'read')).toBeNull();
});
