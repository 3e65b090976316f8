import { expect, test } from 'vitest';
import { namedIds } from './named-ids.ts';

const SHELL = { name: 'bash', shellLine: () => ({ line: '' }) } as unknown as Parameters<typeof namedIds>[0];
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

test.each([
  ['git show 1a2b3c4', ['1a2b3c4']],
  ['git diff 1a2b3c4..9f8e7d6 -- src', ['1a2b3c4', '9f8e7d6']],
  ['git log 1a2b3c4^..HEAD && git status', ['1a2b3c4']],
  ['git show deadbeef', []],
  ['git log --since 20260101 v1.2.3', []],
  ['git commit -m 1a2b3c4', []],
  ['git commit -m "revert 1a2b3c4"', []],
  ['cat 1a2b3c4', []],
  ['git show "$COMMIT"', []],
  ['git log -n 5 src/feature/abc1234f.ts', []],
])('%s', (line, ids) => {
  expect(namedIds(SHELL, { args: { line }, line })).toEqual(ids);
});

test('an MCP tool is given ids, also inside objects; a tool of files any text', () => {
  const args = { where: { id: UUID }, note: `see ${UUID}`, commit: '1a2b3c4', query: 'cart' };
  const origin = { server: 'tracker' } as never;
  expect(namedIds({ name: 'tracker_get', origin }, { args, line: null })).toEqual([UUID]);
  expect(namedIds({ name: 'write_file' }, { args, line: null })).toEqual([]);
  expect(namedIds({ name: 'git_show' }, { args, line: null })).toEqual([UUID, '1a2b3c4']);
});
