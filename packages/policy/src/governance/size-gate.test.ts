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
